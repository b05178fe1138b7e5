"""The compiled engine: alpha-beta with iterative deepening."""
