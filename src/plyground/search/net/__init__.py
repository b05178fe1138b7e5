"""Learned evaluations: small nets over the fields of a state."""
