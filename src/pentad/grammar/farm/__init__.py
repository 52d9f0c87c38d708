"""Long work on many processes and machines: jobs as data, whose results are files or plain values.

A job is a function of a module's table `JOBS`, and a unit of work is its arguments, as JSON. Units are repeated when a
worker dies: they have the same result whoever runs them.
"""
