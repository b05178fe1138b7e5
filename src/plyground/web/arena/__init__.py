"""The page Arena: matches, tournaments and sequential tests, started and watched."""
