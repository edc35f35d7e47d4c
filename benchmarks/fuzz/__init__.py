"""Every reader of foreign bytes, fed with damaged copies of real inputs.

    python -m benchmarks.fuzz --minutes 10 [FOLDER ...]

`readers` lists the readers and a small sample for each; `sample_damage` damages a sample; `reader_trials` runs a
reader under a bound. The folders (runs, caches of images) give further samples: each file goes to the readers of its
kind. A reader may return, or raise an error of index.errors. Anything else is a crash; more than its bound of CPU
seconds is a hang.
"""
