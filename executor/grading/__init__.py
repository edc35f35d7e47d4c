"""Test output becomes a verdict, and verdicts become scores."""
