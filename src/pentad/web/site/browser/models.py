"""Models: the part of pydantic that pentad uses, for the page without a server.

Every model is strict and frozen and refuses unknown fields, as `pentad.web.api.Model` asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Literal, NoReturn, Self, TypeVar, get_args, get_origin, get_type_hints

from pentad.web.site.browser import json_text
from pentad.web.site.browser.checks import Check, Finding, Mode, ValidationError, ValueBounds, check_of, error

T = TypeVar("T")

ConfigDict = dict  # the settings of a model, which are the same for all of pentad's
_REQUIRED: Any = object()


class FieldInfo:
    """The default of a field and its bounds."""

    def __init__(
        self,
        default: Any = _REQUIRED,
        *,
        default_factory: Callable[[], Any] | None = None,
        exclude: bool = False,
        **limits: Any,
    ) -> None:
        self.default = _REQUIRED if default is ... else default
        self.default_factory, self.exclude = default_factory, exclude
        self.limits = ValueBounds(**limits)

    @property
    def is_required(self) -> bool:
        """Whether there is no default."""
        return self.default is _REQUIRED and self.default_factory is None

    def new_default(self) -> Any:
        """The default; a list or dict is a new one each time."""
        if self.default_factory:
            return self.default_factory()
        return self.default.copy() if isinstance(self.default, (list, dict)) else self.default


def Field(default: Any = _REQUIRED, **more: Any) -> Any:  # noqa: N802
    """A field of a model with more than its type."""
    return FieldInfo(default, **more)


class BaseModel:
    """Typed values by name, checked when they are set."""

    model_config: ClassVar[Any] = {}

    def __init__(self, **values: Any) -> None:
        self._fill(values, "python")

    # ── making ───────────────────────────────────────────────────────────────────────────────────

    @classmethod
    def model_validate(cls, value: Any, *, from_attributes: bool = False) -> Self:
        """The model of a dict, or of an object with attributes of these names."""
        made: Self = cls.check_for("attributes" if from_attributes else "python")(value)
        return made

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """A copy with some values replaced, which are not checked."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, **(update or {}))
        return copy

    def _fill(self, values: Mapping[str, Any], mode: Mode) -> None:
        """Sets all fields."""
        own, findings = self.__dict__, list[Finding]()
        fields, given = _fields(type(self), mode), 0
        for name, info, check in fields:
            if name in values:
                given += 1
                try:
                    own[name] = check(values[name])
                except ValidationError as failed:
                    findings += failed.below(name)
            elif info.is_required:
                findings += error("missing", "Field required", values).below(name)
            else:
                own[name] = info.new_default()
        if len(values) > given or findings:
            known = {name for name, _, _ in fields}
            for name in values:
                if name not in known:
                    message = "Extra inputs are not permitted"
                    findings += error("extra_forbidden", message, values[name]).below(name)
            if findings:
                raise ValidationError(findings)

    @classmethod
    def check_for(cls, mode: Mode) -> Check:
        """The check of a value that becomes this model."""

        def check(value: Any) -> Any:
            if isinstance(value, cls):
                return value
            if not isinstance(value, dict):
                value = cls._read(value, mode)
            made = object.__new__(cls)
            made._fill(value, mode)
            return made

        return check

    @classmethod
    def _read(cls, value: Any, mode: Mode) -> dict[str, Any]:
        """The attributes of an object; an error if no other object is expected."""
        plain = (str, bytes, int, float, bool, list, tuple, set, type(None))
        if mode == "attributes" and not isinstance(value, plain):
            return {name: getattr(value, name) for name, _, _ in _fields(cls, mode) if hasattr(value, name)}
        if mode == "attributes":
            message = "Input should be a valid dictionary or object to extract fields from"
            raise error("model_attributes_type", message, value)
        expected = "an object" if mode == "json" else f"a valid dictionary or instance of {cls.__name__}"
        raise error("model_type", f"Input should be {expected}", value, class_name=cls.__name__)

    @classmethod
    def words_of(cls, field: str) -> tuple[Any, ...]:
        """The words of a field that has only these values."""
        kind = get_type_hints(cls)[field]
        return get_args(kind) if get_origin(kind) is Literal else ()

    # ── writing ──────────────────────────────────────────────────────────────────────────────────

    def model_dump(self, *, exclude: set[str] | frozenset[str] = frozenset()) -> dict[str, Any]:
        """The values by name, with models as dicts."""
        hidden = {name for name, info, _ in _fields(type(self), "python") if info.exclude}
        return {name: _plain(value) for name, value in self.__dict__.items() if name not in exclude | hidden}

    def model_dump_json(self) -> str:
        """The values as a JSON object."""
        return json_text.written(self)

    @classmethod
    def json_names(cls) -> list[str]:
        """The fields that JSON has."""
        return [name for name, info, _ in _fields(cls, "python") if not info.exclude]

    # ── values ───────────────────────────────────────────────────────────────────────────────────

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise ValidationError(error("frozen_instance", "Instance is frozen", value).below(name))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({values})"


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if type(value) is tuple:
        return tuple(map(_plain, value))
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


_Fields = list[tuple[str, FieldInfo, Check]]
_KNOWN: dict[tuple[type[BaseModel], Mode], _Fields] = {}


def _fields(model: type[BaseModel], mode: Mode) -> _Fields:
    """The fields of a model, in order, read from its annotations on its first use."""
    known = _KNOWN.get((model, mode))
    if known is None:
        known = _KNOWN[model, mode] = []
        for name, kind in get_type_hints(model, include_extras=True).items():
            if get_origin(kind) is ClassVar:
                continue
            info = getattr(model, name, _REQUIRED)
            if not isinstance(info, FieldInfo):
                info = FieldInfo(info)
            known.append((name, info, check_of(kind, mode, info.limits)))
    return known


class TypeAdapter(Generic[T]):
    """The reader of a type that is no model itself, such as a union of models."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._checks: dict[Mode, Check] = {}

    def _check(self, mode: Mode) -> Check:
        if mode not in self._checks:
            self._checks[mode] = check_of(self._kind, mode)
        return self._checks[mode]

    def validate_json(self, text: str) -> T:
        """The value of a JSON text."""
        try:
            value = json_text.read(text)
        except json_text.Unreadable as failed:
            raise error("json_invalid", f"Invalid JSON: {failed}", text, error=str(failed)) from None
        found: T = self._check("json")(value)
        return found

    def validate_python(self, value: Any, *, from_attributes: bool = False) -> T:
        """The checked value."""
        found: T = self._check("attributes" if from_attributes else "python")(value)
        return found
