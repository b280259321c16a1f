"""What the router's parts have counted, read off them when somebody asks."""
