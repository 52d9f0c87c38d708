"""The site: pentad's pages as static files, without a server."""
