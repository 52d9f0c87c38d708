"""Rules and types: from drawings to what is matched and applied."""
