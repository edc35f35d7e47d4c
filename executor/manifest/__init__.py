"""What the lab found out and a run reads: the health of a repository's tasks and the suites that judge them, the fates
of wrong bodies, and the record of a renamed repository, which is applied to trees and tasks here.

Floors: variant; false_passes, manifest; health.
"""
