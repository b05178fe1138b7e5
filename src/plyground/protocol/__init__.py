"""Protocols between programs: UGI for every game, UCI for some; what both sides of a pipe share."""
