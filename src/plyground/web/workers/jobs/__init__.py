"""The kinds of jobs, as plain functions: no process, no socket.

A job function gets the `SearchCache` of its worker, the job (what it leaves out has its default in
`protocol/messages.py`), a `Reporter` and a `Cancellation`. It ends in one of three ways: it returns
its result, it raises a PlygroundError with a sentence for the user, or, after its cancellation was
requested, it raises `Interrupted` with the job that continues from there.
"""
