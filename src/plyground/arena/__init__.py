"""The arena: games between players, by the rules and by the clock."""
