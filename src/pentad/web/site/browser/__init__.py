"""What a page runs in place of the server: the table of services, with the browser's storage and workers."""
