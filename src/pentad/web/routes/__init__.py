"""What is asked over HTTP and by sockets, a module for each page."""
