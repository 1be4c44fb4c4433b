"""Answers as pages: evidence and nets as data for a script, and the page of one answer.

The page of a batch is made of the same parts; see `batch.reports.page`.
"""
