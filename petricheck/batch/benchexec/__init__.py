"""The bridge to BenchExec: batches as its tasks, petricheck as its tool, its results in batches."""
