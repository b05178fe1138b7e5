"""Records of games: the data, its text and JSON formats, and files of them."""
