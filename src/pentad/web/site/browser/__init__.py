"""What a page runs in place of the server: the application, and the parts of pydantic and FastAPI that it needs."""
