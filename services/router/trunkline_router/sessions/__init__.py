"""Sessions of clients that open with `initialize`: signed, so that any replica serves them."""
