"""The addresses of the web app: pages, HTTP and WebSockets."""
