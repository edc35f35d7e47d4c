"""In: a make.yaml whose build or tests fail, and a model. Out: a make.yaml that works: `graft make --setup-model`.

Floors, each importing only those below it: `model_repair`; `conversation` (calls are answered until a make.yaml is
handed in); `file_tools`, `setup_rounds`.
"""
