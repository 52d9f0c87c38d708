"""The study page: texts read and written, positions set up, and analysis sessions."""
