"""Reports of a batch: tables, plots, a page, comparisons, exports."""
