"""The contract between games and all else. Nothing here imports a game, a search or Numba."""
