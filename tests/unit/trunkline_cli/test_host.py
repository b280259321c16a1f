"""What the supervisor passes is what the host reads."""

import pytest

from trunkline_cli import listening
from trunkline_cli.host import HostedServer, parser
from trunkline_cli.supervisor import HostPlan, Place


def test_the_host_reads_what_the_supervisor_writes() -> None:
    """Ids, modules and descriptors survive the command line."""
    with listening.on_any_port() as first, listening.on_any_port() as second:
        plan = HostPlan(
            servers={"a": Place(module="package.a", on=first)},
            environment={},
            stand_ins={"v": second},
        )
        words = plan.command(lifeline=9, report=8)
        given = parser().parse_args(words[words.index("trunkline_cli.host") + 1 :])
        assert (given.lifeline, given.report) == (9, 8)
        assert given.server == [HostedServer("a", "package.a", first.fileno())]
        assert given.stand_in == [("v", second.fileno())]
        assert plan.descriptors() == [first.fileno(), second.fileno()]


def test_a_host_without_lifeline_does_not_start() -> None:
    """Nothing may host servers that outlive whoever started them."""
    with pytest.raises(SystemExit):
        parser().parse_args([])
