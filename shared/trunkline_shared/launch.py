"""A service's start: nobody looks for garbage in what is imported, and stays."""

import gc
import importlib


def launch(package: str) -> None:
    """Run the `SERVICE` of a package on its own: the whole of a service's `__main__`."""
    # A fifth of the start would go into looking through modules again and again.
    gc.disable()
    serve = importlib.import_module("trunkline_shared.serve")
    service = importlib.import_module(f"{package}.service").SERVICE
    gc.freeze()
    gc.enable()
    serve.main(service)
