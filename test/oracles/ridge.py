"""Makes ridge.json: Bradley-Terry as arena boards of 2023 and 2024 fitted it, by logistic regression of scikit-learn.

Run: python ridge.py, with scikit-learn from PyPI. The suite reads the result only.
"""

import json
import math
from pathlib import Path

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression

items = ["ash", "box", "elm", "fir", "oak", "yew"]
random = np.random.default_rng(39)
true = np.array([0.9, 0.4, 0.1, -0.1, -0.5, -0.8])


def votes(count):
    """Pairs of items with what the first won: 1, 0, or 0.5 for a tie."""
    made = []
    for _ in range(count):
        a, b = random.choice(len(items), 2, replace=False)
        chance = 1 / (1 + math.exp(true[b] - true[a]))
        made.append((int(a), int(b), 0.5 if random.random() < 0.15 else float(random.random() < chance)))
    return made


def ratings(made, tol, solver="lbfgs"):
    """Each vote is entered twice: a tie is won once by each, a win twice by the same. Elo = 1000 + 400 w."""
    rows = made + made
    x = np.zeros((len(rows), len(items)))
    y = np.zeros(len(rows))
    for row, (a, b, won) in enumerate(rows):
        x[row, a], x[row, b] = math.log(10), -math.log(10)
        y[row] = won if won != 0.5 else float(row < len(made))
    fit = LogisticRegression(fit_intercept=False, C=1.0, tol=tol, max_iter=10_000, solver=solver).fit(x, y)
    return [1000 + 400 * float(w) for w in fit.coef_[0]]


def case(count):
    made = votes(count)
    return {
        "votes": [[items[a], items[b], won] for a, b, won in made],
        "optimum": dict(zip(items, ratings(made, 1e-14, "newton-cholesky"))),
        "stopped": dict(zip(items, ratings(made, 1e-4))),
    }


content = {"oracle": {"scikit-learn": sklearn.__version__}, "few": case(60), "many": case(1200)}
Path(__file__).with_name("ridge.json").write_text(json.dumps(content, separators=(",", ":")) + "\n")
