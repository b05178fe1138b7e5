"""Runs many tasks at the same time: on the cores of this machine, or on a cluster."""
