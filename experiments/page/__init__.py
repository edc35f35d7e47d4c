"""Runs in a browser: one HTML file, with the samples' stories in it or beside it."""
