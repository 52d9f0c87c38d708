"""States of the general engine: successors, state space, order and limits of exploration."""
