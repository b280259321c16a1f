"""The dashboard's page: what a browser is given, as it lies in the package."""
