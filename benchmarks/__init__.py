"""How fast everything is, measured beside other programs in one run: `python -m benchmarks`.

Each module with a `run` function is a benchmark; the first line of its docstring describes it.
`docs/benchmarks.md` explains what the figures mean.
"""
