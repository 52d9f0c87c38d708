"""The pictures of the pages in the docs: all there, and the film as a package index shows it."""

from __future__ import annotations

from PIL import Image

from release.page_pictures import FILM, FILM_WIDTH, FOLDER, STILLS, WINDOW

MOST_FILM_BYTES = 1_500_000
LARGEST_STILL = 400_000


def test_the_film_is_short_and_small() -> None:
    assert (FOLDER / FILM).stat().st_size < MOST_FILM_BYTES
    with Image.open(FOLDER / FILM) as film:
        durations = []
        for number in range(film.n_frames):
            film.seek(number)
            film.load()
            durations.append(film.info["duration"])
        assert (film.width, film.info["loop"]) == (FILM_WIDTH, 0)
    assert len(durations) > 40
    assert 8_000 < sum(durations) < 12_500


def test_every_still_is_there() -> None:
    for name in STILLS:
        assert (FOLDER / name).stat().st_size < LARGEST_STILL
        with Image.open(FOLDER / name) as still:
            assert still.size == (WINDOW["width"], WINDOW["height"])
