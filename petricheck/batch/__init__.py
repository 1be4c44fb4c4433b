"""Many questions: indexes, configurations, tables."""
