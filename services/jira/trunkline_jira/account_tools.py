"""The tool that tells in whose name Jira is asked."""

from dataclasses import dataclass

from trunkline_jira.endpoints import myself
from trunkline_jira.models import Myself
from trunkline_jira.shapes import account, person
from trunkline_jira.site.client import Jira
from trunkline_jira.tags import ACCOUNT, TOOLSET
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountTools:
    """The account of the credential."""

    jira: Jira

    @tool(
        "Get myself",
        READ,
        Policy(reads=Reads(ttl_s=300, stale_s=3600, tags=(ACCOUNT,)), toolset=TOOLSET),
    )
    async def get_myself(self) -> Myself:
        """Tell in whose name Jira is asked: account (what JQL takes), name, email, flavour."""
        await self.jira.check_credentials()
        deployment = await self.jira.deployment()
        user = await self.jira.fetch(myself(deployment.flavour))
        return Myself(
            account=account(user) or "",
            name=person(user) or "",
            email=user.emailAddress,
            active=user.active is not False,
            time_zone=user.timeZone,
            flavour="cloud" if deployment.flavour.is_cloud else "data_center",
            url=deployment.pages,
        )
