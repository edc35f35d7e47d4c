"""Where candidates run: docker, bwrap and process behind one contract."""
