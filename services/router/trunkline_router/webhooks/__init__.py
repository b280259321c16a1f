"""What vendors tell of changes on their own: whether it is theirs, and what it spoils."""
