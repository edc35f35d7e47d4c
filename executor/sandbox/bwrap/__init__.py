"""The `bwrap` sandbox. `backend` opens sessions and keeps images; `session` runs a session's commands."""
