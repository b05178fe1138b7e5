"""Tests of plyground.search.solving.proof_number."""
