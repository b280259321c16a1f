"""What Basecamp wants to see in every request."""

from trunkline_project_reader.basecamp.account import Account
from trunkline_shared.vendor.credential import Credential
from trunkline_shared.vendor.transport import Vendor


def vendor_of(account: Account, user_agent: str) -> Vendor[Credential]:
    """Return Basecamp, at the address of one account.

    `user_agent` names the product and whom to ask about it; without it Basecamp answers 400.
    """
    return Vendor(
        name="Basecamp",
        address=account.address,
        headers=lambda credential: {
            "Accept": "application/json",
            "Authorization": credential.authorization,
            "User-Agent": user_agent,
        },
    )
