"""The part of pydantic that pentad uses, for the page without a server."""

from pentad.web.site.browser.checks import ValidationError
from pentad.web.site.browser.models import BaseModel, ConfigDict, Field, TypeAdapter

__all__ = ["BaseModel", "ConfigDict", "Field", "TypeAdapter", "ValidationError"]
