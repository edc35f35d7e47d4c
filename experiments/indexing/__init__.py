"""Where a tree's index lies, and what is prepared beside it."""
