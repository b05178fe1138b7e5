// Sets the chosen colours before anything is painted. A plain script, since modules run later.
// The choice is made in page.js; "system" means that none is stored.
try {
  const chosen = localStorage.getItem("plyground-theme");
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
  }
} catch {
  // Without storage the page has the system's colours.
}
