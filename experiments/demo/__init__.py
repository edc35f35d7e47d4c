"""The demo: a scripted model behind a real HTTP server, on the embedded example.

In: examples/demo, its script and its configuration. Out: an ordinary run, and an address where any client can ask the
scripted model.

Imports run down this list of floors:

- `command`: the demo's run
- `scripted_server`: the server on loopback
- `scripted_wires`: the form in which a provider is asked and answers
- `scripted_rules`: which answer is given to which request
"""
