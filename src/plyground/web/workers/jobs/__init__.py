"""The kinds of jobs, as plain functions: no process, no socket.

A job function gets a `JobRun`. It ends in one of three ways: it returns its result, it raises a
PlygroundError with a sentence for the user, or, after its cancellation was requested, it raises
`Interrupted` with the job that continues from there.
"""
