"""The store's contract once more, against the Redis that the mesh ships with, in a container."""

from collections.abc import Iterator

import pytest
from testcontainers.community.redis import RedisContainer
from testcontainers.core.config import testcontainers_config

from tests.unit.trunkline_shared.store import test_buckets, test_bus, test_kept
from trunkline_shared.settings import load
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio

CONTRACT = (
    test_kept.test_what_one_puts_the_other_gets_until_it_is_dropped,
    test_kept.test_a_claim_is_made_once,
    test_buckets.test_of_several_buckets_all_give_or_none_does,
    test_bus.test_who_has_left_is_forgotten,
)


@pytest.fixture(scope="module")
def server() -> Iterator[RedisContainer]:
    """A Redis at a free port."""
    # The container ends with the block: nobody else has to look after it.
    testcontainers_config.ryuk_disabled = True
    with RedisContainer("redis:8-alpine") as running:
        yield running


@pytest.mark.requirement("shipping.system-store")
@pytest.mark.parametrize("proof", CONTRACT, ids=lambda proof: proof.__name__)
async def test_the_store_keeps_its_contract_in_a_container(
    server: RedisContainer, proof: object
) -> None:
    """The very tests that an in-process store and a local Redis pass."""
    assert callable(proof)
    server.get_client().flushall()
    where = f"redis://{server.get_container_host_ip()}:{server.get_exposed_port(6379)}/0"
    await proof("redis", load(StoreSettings, {"redis_url": where}))
