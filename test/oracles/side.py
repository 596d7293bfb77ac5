"""Makes side.json: the votes of food.json by six raters in turn, with a term for the left.

Run: pip install statsmodels==0.15.0, then python side.py. The suite reads the result only.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy
import statsmodels.api as sm

here = Path(__file__).parent
votes = json.loads((here / "food.json").read_text())["data"]
items = sorted({name for left, right, _ in votes for name in (left, right)})
won = numpy.array([{"left": 1.0, "right": 0.0, "tie": 0.5}[winner] for *_, winner in votes])
# The worth of the first item is 0.
design = numpy.array([[(name == left) - (name == right) for name in items[1:]] + [1.0] for left, right, _ in votes])
*worths, side = sm.GLM(won, design, family=sm.families.Binomial()).fit(tol=1e-14).params

decided = won != 0.5
raters = numpy.arange(len(votes)) % 6
share = sm.OLS(won[decided], numpy.ones(decided.sum())).fit(cov_type="cluster", cov_kwds={"groups": raters[decided]}, use_t=True)

centred = numpy.array([0.0, *worths]) - sum(worths) / len(items)
found = {
    "made_by": {"statsmodels": version("statsmodels")},
    "worths": dict(zip(items, centred)),
    "side": side,
    "share": share.params[0],
    "std_error": share.bse[0],
}
(here / "side.json").write_text(json.dumps(found) + "\n")
