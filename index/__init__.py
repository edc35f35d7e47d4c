"""A C or C++ tree becomes symbols, call sites and a call graph, and a target function can be hidden in all of them.

The floors, from the bottom. Each imports only from floors named before it (import-linter holds this):

    errors, values      what everybody shares
    user_files          strict reading of files that people write
    plugins             what other distributions add to Graft's lists
    function_texts      the texts of several functions as one
    key_locks           one lock a key, for threads
    progress            how a long piece of work says how far it is
    arrays              the distinct values of an array, fast
    worker_processes    work spread over processes
    cpp                 reading C and C++ text: tokens, types, declarators, macros
    symbols             one file becomes its symbols, call sites and includes
    store               the database, and the opened index as typed queries
    callgraph           who calls whom, resolved by name
    hiding              a view of the index without one function's body
    repo_index          the opened index with all of these
    build               a tree becomes an index
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
