"""The core's commands: each reads its options and calls one function of another room.

In: words of the command line. Out: lines on stdout and stderr, an exit status.

Imports run down this list of floors:

- `app`: all commands in their panels, and what a mistake ends in
- `run`, `results`, `tasks`, `index`, `images`: the commands, panel by panel
- `options`: options that several commands share
"""
