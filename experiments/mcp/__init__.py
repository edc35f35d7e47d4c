"""Tools for any client of the Model Context Protocol (extra `mcp`).

In: a client's calls on standard input. Out: the tools' answers on standard output; of a task's session also a sample
in a run's folder.

Imports run down this list of floors:

- `task_session`: one task served to a client, and judged
- `client_model`: the client in a model's place
- `protocol`: the server around any tools
"""
