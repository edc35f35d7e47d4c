"""The measured tables of README.md and docs/, made from records, so that no figure is typed by hand."""
