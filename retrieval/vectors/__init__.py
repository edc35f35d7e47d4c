"""Search by meaning. In: an index, an encoder of texts, a target. Out: functions with the nearest vectors, as hits.

Floors: static_dense; dense, static_encoder; encoders.
"""
