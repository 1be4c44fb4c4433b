"""Answers as pages: one file of HTML each, with a style, and a script that changes what is shown.

The page of a batch is made of the same parts; see `batch.reports.page`.
"""
