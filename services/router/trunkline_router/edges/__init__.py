"""The paths of the router: HTTP in, HTTP out."""
