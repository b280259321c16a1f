"""What the project-reader service needs from its environment; tokens are read live."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from trunkline_project_reader.tokens.settings import BasecampTokenSettings
from trunkline_shared.offer import OfferSettings

API_URL = "https://3.basecampapi.com"
_CONTACT = re.compile(r"[\x21-\x27\x2a-\x7e]{3,200}")


class ProjectReaderSettings(BasecampTokenSettings, OfferSettings):
    """Where Basecamp is, which account is read, how fast, and which tools to offer."""

    basecamp_account_id: str = Field(default="", validation_alias="BASECAMP_ACCOUNT_ID")
    """Which account is read, the number in `https://3.basecamp.com/NUMBER`; the token's only one is
    found.
    """
    basecamp_api_url: str = API_URL
    """Basecamp's API."""
    basecamp_contact: str = "https://github.com/trunkline/trunkline"
    """The URL or mail address that Basecamp wants in each request, for when something goes wrong.
    """
    basecamp_concurrency: Annotated[int, Field(ge=1, le=50)] = 10
    """How many requests to Basecamp the server may have underway."""

    @field_validator("basecamp_account_id")
    @classmethod
    def _number(cls, value: str) -> str:
        number = value.strip()
        if number and not (number.isascii() and number.isdigit()):
            raise ValueError("must be the number in https://3.basecamp.com/NUMBER")
        return number

    @field_validator("basecamp_contact")
    @classmethod
    def _fits_in_a_header(cls, contact: str) -> str:
        if not _CONTACT.fullmatch(contact):
            raise ValueError("must be a URL or mail address, without blanks and parentheses")
        return contact

    @field_validator("basecamp_api_url")
    @classmethod
    def _usable_api(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("must be a URL such as " + API_URL)
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no password, query or fragment")
        return url.rstrip("/")
