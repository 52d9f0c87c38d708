from pentad import kernel
from pentad.web.engines.preparing import listen


def test_what_is_prepared_is_told_the_first_time(monkeypatch):
    done = set()

    def prepare(name: str) -> None:
        if name in done:
            return
        done.add(name)
        with kernel.Waiting(name) as waiting:
            waiting.tell(1, 4)

    for name, value in {"prepare": prepare, "keep": prepare, "Waiting": kernel.Waiting}.items():
        monkeypatch.setattr(kernel, name, value)  # so that it is undone what `listen` does
    told: list[tuple[str, float | None]] = []
    listen(lambda game, share: told.append((game, share)))
    kernel.prepare("pentad.pente.engine.engine")
    kernel.prepare("pentad.pente.engine.engine")
    assert told == [("pente", None), ("pente", 0.25), ("", None)]


def test_it_is_over_also_when_it_fails(monkeypatch):
    def fails(name: str) -> None:
        raise OSError("no room")

    for name, value in {"prepare": fails, "keep": fails, "Waiting": kernel.Waiting}.items():
        monkeypatch.setattr(kernel, name, value)
    told: list[tuple[str, float | None]] = []
    listen(lambda game, share: told.append((game, share)))
    try:
        kernel.keep("pentad.pentago.solver.pass_kernels")
    except OSError:
        told.append(("failed", None))
    assert told == [("pentago", None), ("", None), ("failed", None)]
