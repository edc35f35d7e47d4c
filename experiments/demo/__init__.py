"""The demo: a scripted model behind a real HTTP server, on the embedded example."""
