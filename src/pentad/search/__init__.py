"""What bots and engines share."""
