"""The board in the browser: a local web app, and an interface for other programs."""
