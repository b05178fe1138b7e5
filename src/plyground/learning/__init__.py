"""Learning an evaluation from the rules of a game alone (`plyground learn`)."""
