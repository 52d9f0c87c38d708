"""Guard against imports of packages that a page does not have."""

ABSENT = (
    "alembic", "annotated_types", "anyio", "numpy", "pydantic_settings", "segno", "sqlalchemy",
    "typing_extensions", "typing_inspection", "uvicorn", "websockets",
)  # fmt: skip


class Guard:
    """A finder that refuses them."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in ABSENT:
            raise ImportError(f"{name} is not in a page")
