"""Makes irrcac.json: Gwet's coefficients of three files of this folder, by irrCAC.

Run: python irrcac.py, with irrCAC 0.4.4 from PyPI. The suite reads the result only.
"""

import json
from importlib.metadata import version
from pathlib import Path

import pandas
from irrCAC.raw import CAC

here = Path(__file__).parent


def table(name):
    """Units in rows, raters in columns."""
    frame = pandas.DataFrame(json.loads((here / f"{name}.json").read_text())["data"], dtype=float)
    return frame.T if name == "codings" else frame


def estimate(found):
    low, high = found["confidence_interval"]
    return {"value": float(found["coefficient_value"]), "low": float(low), "high": float(high)}


def coefficients(name):
    made = {}
    for weights in ("identity", "ordinal"):
        made[weights] = estimate(CAC(table(name), weights=weights, digits=15).gwet()["est"])
    return made


names = ("codings", "diagnoses", "anxiety")
content = {"oracle": {"irrCAC": version("irrCAC")}, **{name: coefficients(name) for name in names}}
(here / "irrcac.json").write_text(json.dumps(content, separators=(",", ":"), allow_nan=False) + "\n")
