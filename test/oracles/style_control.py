"""Makes style_control.json: ratings with style control, as arena boards publish them.

Run: pip install arena-rank==0.1.1, then python style_control.py. The suite reads the result only.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy
import pandas
from arena_rank.models.contextual_bradley_terry import ContextualBradleyTerry
from arena_rank.utils.data_utils import ContextualPairDataset

random = numpy.random.default_rng(39)
models = ["ash", "box", "elm", "fir", "oak", "yew"]
worth = dict(zip(models, [0.9, 0.5, 0.2, -0.2, -0.5, -0.9]))
features = ["tokens", "lists"]

votes = []
for _ in range(900):
    # Some pairs are much more frequent than others, which reweighting undoes.
    a, b = random.choice(models, 2, replace=False, p=[0.3, 0.25, 0.15, 0.1, 0.1, 0.1])
    sizes = {name: random.integers(0 if name == "lists" else 20, 12 if name == "lists" else 900, 2) for name in features}
    style = [(x - y) / (x + y) if x + y > 0 else 0.0 for x, y in sizes.values()]
    logit = worth[a] - worth[b] + 0.6 * style[0] + 0.2 * style[1]
    draw = random.random()
    winner = "tie" if draw < 0.15 else "model_a" if random.random() < 1 / (1 + numpy.exp(-logit)) else "model_b"
    votes.append([a, b, winner, *(int(one) for pair in sizes.values() for one in pair)])

columns = ["model_a", "model_b", "winner", *(f"{name}_{side}" for name in features for side in "ab")]
frame = pandas.DataFrame(votes, columns=columns)
for name in features:
    x, y = frame[f"{name}_a"], frame[f"{name}_b"]
    frame[name] = ((x - y) / (x + y)).fillna(0.0)

results = {}
for reweighted in (False, True):
    data = ContextualPairDataset.from_pandas(frame, feature_cols=features, reweighted=reweighted)
    # Stopped later than by default, so that the numbers are those of the optimum.
    model = ContextualBradleyTerry(len(data.competitors), len(features), ftol=1e-15, gtol=1e-12)
    usual = ContextualBradleyTerry(len(data.competitors), len(features))
    key = "reweighted" if reweighted else "plain"
    for name, fitted in (("", model), ("_stopped", usual)):
        found = fitted.compute_ratings_and_cis(data)
        results[key + name] = {
            column: [float(one) for one in found[column]]
            for column in ("ratings", "coeffs", "rating_lower", "rating_upper")
        }

content = {
    "source": "drawn by style_control.py",
    "oracle": {"arena-rank": version("arena-rank")},
    "models": models,
    "votes": votes,
    **results,
}
Path(__file__).with_suffix(".json").write_text(json.dumps(content, separators=(",", ":"), allow_nan=False) + "\n")
