"""The processes that search for the web app, and the jobs they run."""
