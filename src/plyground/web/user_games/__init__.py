"""Users' own games: their code runs in processes of its own, never in the server."""
