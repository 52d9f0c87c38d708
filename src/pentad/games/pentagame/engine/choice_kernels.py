"""The bot's turn on the state of many games (`batch`), for pages: the tree search with a number of visits."""

from __future__ import annotations

from pentad.games.pentagame.batch.step_kernels import action_of
from pentad.games.pentagame.engine.constants import ChoiceArrays
from pentad.games.pentagame.engine.position_kernels import play_step
from pentad.games.pentagame.engine.search_kernels import KERNELS
from pentad.kernels.decorator import kernel
from pentad.kernels.types import Int64s
from pentad.search.batch_kernels import copy_state

take_turn = KERNELS["take_turn"]


@kernel
def choose(state: Int64s, chosen: Int64s, choice: ChoiceArrays, visits: int) -> int:
    """Writes the actions of the bot's turn; returns their number."""
    count = take_turn(choice.tree, choice.counts, state, choice.steps, choice.seeds, visits)
    copy_state(choice.state, state)
    for i in range(count):
        chosen[i] = action_of(choice.state, choice.steps[i])
        play_step(choice.state, choice.steps[i])
    return int(count)
