"""What `trunkline doctor` looks at, one module per concern."""
