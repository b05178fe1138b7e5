"""Binding: a game's rules compiled into kernels."""
