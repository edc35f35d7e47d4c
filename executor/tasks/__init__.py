"""Data sets become tasks: YABLoCo, MERA Code, folders of your own."""
