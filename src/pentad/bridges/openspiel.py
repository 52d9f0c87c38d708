"""Games of OpenSpiel: `register()` adds every game of pentad as `pentad_NAME`, with its options as parameters.

    >>> from pentad.bridges import openspiel
    >>> "pentad_pentago" in openspiel.register()
    True
    >>> import pyspiel
    >>> state = pyspiel.load_game("pentad_pente(size=9)").new_initial_state()
    >>> state.apply_action(state.legal_actions()[0])
    >>> state.current_player()
    1

`docs/how-to/learners.md` describes the actions and the observations of each game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pentad.game import Game, Option, OptionValue, Position, Step, game, names
from pentad.games import encoding
from pentad.system.extras import needs

with needs("openspiel"):
    import numpy as np
    import pyspiel  # type: ignore[import-not-found]

    from pentad.bridges import environments

PREFIX = "pentad_"


def register() -> tuple[str, ...]:
    """Registers all games with OpenSpiel, once; returns their names there."""
    known = set(pyspiel.registered_names())
    found = []
    for name in names():
        short = PREFIX + name
        if short not in known:
            kind = game(name)
            # A class of its own: OpenSpiel frees the callable after Python's end, and only a class outlives that.
            pyspiel.register_game(_game_type(kind), type(f"{kind.title}Game", (SpielGame,), {"kind": kind}))
        found.append(short)
    return tuple(found)


def _game_type(kind: Game) -> pyspiel.GameType:
    players = kind.options.get("players")
    return pyspiel.GameType(
        short_name=PREFIX + kind.name,
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=players.minimum if players else kind.new().players,
        max_num_players=players.maximum if players else kind.new().players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        # Lists of words have commas, which separate parameters.
        parameter_specification={name: _default(option) for name, option in kind.options.items() if not option.several},
    )


def _default(option: Option) -> OptionValue:
    """A parameter's default. OpenSpiel knows no missing values, so -1 or "" is one that depends on other options."""
    if not option.default_text:
        return option.default
    return "" if isinstance(option.default, str) else -1


def _options(kind: Game, parameters: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """The options that parameters are, without those that depend on others."""
    for name, value in parameters.items():
        option = kind.options[name]
        is_flag = option.kind == "boolean" and value in (0, 1)
        if not option.default_text or value != _default(option):
            yield name, bool(value) if is_flag else value


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game of OpenSpiel with some options."""

    kind: ClassVar[Game]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        self.first = self.kind.new(**dict(_options(self.kind, given)))
        part = encoding.encoding(self.first)
        info = pyspiel.GameInfo(
            num_distinct_actions=part.actions(self.first),
            max_chance_outcomes=0,
            num_players=self.first.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=part.most_steps(self.first),
        )
        super().__init__(_game_type(self.kind), info, given)

    def new_initial_state(self, state: None = None) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.first)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame  # type: ignore[import-untyped]

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class Held:
    """A position with its legal steps. OpenSpiel copies a state's attributes deeply; both are never changed."""

    def __init__(self, position: Position) -> None:
        self.position, self.legal = position, encoding.steps(position)

    def __deepcopy__(self, memo: object) -> Held:
        return self


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A position of a game of OpenSpiel; `position` is pentad's."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.held = Held(game.first)

    @property
    def position(self) -> Position:
        return self.held.position

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.turn

    def is_terminal(self) -> bool:
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        outcome = self.position.outcome
        return [*outcome.returns] if outcome else [0.0] * self.position.players

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.held.legal) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.held = Held(encoding.play(self.position, self._step(action)))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self._step(action))

    def _step(self, action: int) -> Step:
        return encoding.chosen(self.held.legal, action)

    def __str__(self) -> str:
        return self.position.text


class Observer:
    """What a player sees, as OpenSpiel's observers give it: a flat tensor, the same by planes, and a text."""

    def __init__(self, first: Position) -> None:
        shape = environments.planes(first, 0).shape
        self.tensor = np.zeros(np.prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        self.dict["observation"][:] = environments.planes(state.position, player)

    def string_from(self, state: SpielState, player: int) -> str:
        return state.position.text
