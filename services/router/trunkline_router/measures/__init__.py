"""What is measured, under which names: the one catalogue that every rendering goes by."""
