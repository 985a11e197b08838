"""Tool-info modules for BenchExec: how verifiers are called and how their answers are read."""
