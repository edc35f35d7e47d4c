"""What suites printed, read into results: parser (how a recipe says it) and lines below, results on top."""
