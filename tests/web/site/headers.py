"""The headers of responses that both applications have."""

HEADERS = ("content-type", "content-disposition", "retry-after", "allow")
