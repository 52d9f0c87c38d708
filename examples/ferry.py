"""The river-crossing puzzle as a graph grammar: is there a safe crossing, and which one?"""

from pentad.grammar import explore
from pentad.grammar.logic.ctl import check
from pentad.grammar.models import new

found = explore(new("ferry", wolves=1, goats=1, cabbages=1))
print(found, "by the", found.engine, "engine")

verdict = check("E(!eat U allAcross)", found.lts)
print(verdict)
assert verdict.witness is not None
for step in verdict.witness.steps:
    print(" ", step.label)
