"""`python -m trunkline_router`: the router alone, in front of servers that run elsewhere."""

import sys

from trunkline_router.app import serve
from trunkline_router.lists import OWN_INFO
from trunkline_router.settings import RouterSettings
from trunkline_shared import telemetry
from trunkline_shared.serve import run_until_done
from trunkline_shared.settings import ConfigurationError, load


def main() -> None:
    """Run until told to end."""
    try:
        telemetry.set_up("router", str(OWN_INFO["version"]))
        run_until_done(serve(load(RouterSettings)))
    except ConfigurationError as error:
        sys.exit(f"router: {error}")
    finally:
        telemetry.flush()


if __name__ == "__main__":
    main()
