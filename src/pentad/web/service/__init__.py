"""What pages ask for: functions from a typed request to a typed answer, in one table, without a web framework.

The server and the page without a server answer with the same functions. A module for each page has its `ROUTES`.
"""
