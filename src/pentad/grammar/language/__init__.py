"""What labels are made of: values, expressions over them, and paths."""
