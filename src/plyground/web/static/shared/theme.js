// Sets the chosen colours before anything is painted. A plain script, since modules run later.
// The choice is made in page.js; "system" is the absence of one.
try {
  const chosen = localStorage.getItem("plyground-theme");
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
  }
} catch {
  // A browser that keeps no storage shows the system's colours.
}
