"""The contract between games and everything else. Nothing here imports a game, a search or Numba."""
