"""The browser that the other tests look through."""

import pytest

from tests.browser.browsing import Browsing

pytestmark = pytest.mark.anyio


async def test_a_page_that_throws_complains_or_breaks_its_policy_is_noticed(
    browsing: Browsing,
) -> None:
    """Each of the three would fail the test that visits such a page."""
    page = await browsing.blank()
    body = (
        "<meta http-equiv='Content-Security-Policy' content=\"style-src 'none'\">"
        "<p style='color: red'>x</p><script>console.error('oh'); null.x;</script>"
    )
    await page.route(
        "http://sick.example/", lambda route: route.fulfill(body=body, content_type="text/html")
    )
    await page.goto("http://sick.example/")
    told = " ".join(browsing.complaints)
    browsing.complaints.clear()
    assert "oh" in told
    assert "threw" in told
    assert "violates the policy: style-src" in told
