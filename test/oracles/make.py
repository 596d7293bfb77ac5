"""Makes the files of this folder from public data sets and other implementations.

Run: python make.py DATA, where DATA holds the files that `sources` names. The suite reads the results only.
"""

import itertools
import json
import re
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import krippendorff
import numpy
import pandas
import pingouin
import pyreadr
import scipy.stats
from statsmodels.stats.proportion import proportion_confint
from sureal.dataset_reader import RawDatasetReader
from sureal.subjective_model import SubjrejMosModel

data = Path(sys.argv[1])
here = Path(__file__).parent
versions = {name: version(name) for name in ("krippendorff", "pingouin", "numpy", "scipy", "statsmodels", "sureal")}

sources = {
    "codings": "codings.csv of github.com/dustalov/evalica (Apache-2.0)",
    "food": "food.csv of github.com/dustalov/evalica (Apache-2.0)",
    "anxiety": "anxiety.rda of the R package irr 0.84.1",
    "diagnoses": "diagnoses.rda of the R package irr 0.84.1 (Fleiss 1971)",
    "celebrities": "celebrities.rda of the R package eba (Rumelhart and Greeno 1971)",
    "flute": "sound.fields.R of the R package BradleyTerry2, flute only, ties half (Kousgaard 1984)",
    "citations": "citations.R of the R package BradleyTerry2 (Stigler 1994)",
    "nflx_outliers": "NFLX_dataset_public_raw_last4outliers.py of github.com/Netflix/sureal (Apache-2.0)",
    "nflx": "NFLX_dataset_public_raw.py of github.com/Netflix/sureal (Apache-2.0)",
}


def write(name, **content):
    content = {"source": sources.get(name, "published with the definition"), **content}
    (here / f"{name}.json").write_text(json.dumps(content, separators=(",", ":"), allow_nan=False) + "\n")


def rows(frame):
    return [[None if pandas.isna(v) else v for v in row] for row in frame.to_numpy().tolist()]


# Rows are coders, columns units.
codings = pandas.read_csv(data / "codings.csv", header=None)
write(
    "codings",
    data=rows(codings),
    oracle={"krippendorff": versions["krippendorff"]},
    alpha={
        level: krippendorff.alpha(codings.to_numpy(dtype=float), level_of_measurement=level)
        for level in ("nominal", "ordinal", "interval")
    },
)

# Rows are units, columns raters.
anxiety = pyreadr.read_r(data / "anxiety.rda")["anxiety"]
shrout = pandas.DataFrame([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
for name, frame in (("anxiety", anxiety), ("shrout", shrout)):
    long = frame.reset_index(drop=True).melt(ignore_index=False).reset_index()
    long.columns = ["unit", "rater", "value"]
    icc = pingouin.intraclass_corr(long, targets="unit", raters="rater", ratings="value")
    icc = icc[~icc["Type"].str.startswith("ICC(C")]
    pairs = list(itertools.combinations(range(frame.shape[1]), 2))
    p = [float(scipy.stats.ttest_rel(frame.iloc[:, i], frame.iloc[:, j]).pvalue) for i, j in pairs]
    write(
        name,
        data=rows(frame),
        oracle={"pingouin": versions["pingouin"], "scipy": versions["scipy"]},
        paired={method: list(map(float, pingouin.multicomp(p, method=method)[1])) for method in ("none", "holm", "fdr_bh")},
        icc=dict(zip(icc["Type"], icc["ICC"])),
        ci={t: [float(x) for x in ci] for t, ci in zip(icc["Type"], icc.filter(like="CI").iloc[:, 0])},
    )

diagnoses = pyreadr.read_r(data / "diagnoses.rda")["diagnoses"]
categories = sorted({str(v) for v in diagnoses.to_numpy().ravel()})
write("diagnoses", data=[[categories.index(str(v)) + 1 for v in row] for row in diagnoses.to_numpy()])

celebrities = pyreadr.read_r(data / "celebrities.rda")["celebrities"]
write("celebrities", items=list(celebrities.columns), data=rows(celebrities.astype(int)))

text = (data / "sound.fields.R").read_text()


def column(name):
    found = re.search(re.escape(name) + r" = (?:structure\()?c\(([^)]*)\)", text).group(1)
    return [float(x.strip().rstrip("L")) for x in found.split(",")]


fields = zip(column("field1"), column("field2"), column("win1.adj"), column("win2.adj"), column("instrument"))
write("flute", data=[[int(x), int(y), v, w] for x, y, v, w, instrument in fields if instrument == 2])

names = ["Biometrika", "Comm Statist", "JASA", "JRSS-B"]
citations = numpy.array(
    [714, 33, 320, 284, 730, 425, 813, 276, 498, 68, 1072, 325, 221, 17, 142, 188]
).reshape(4, 4).T  # cited in rows, citing in columns
write("citations", items=names, data=citations.tolist())

food = pandas.read_csv(data / "food.csv")
write("food", data=rows(food))

def study(file):
    namespace: dict = {"__name__": file}
    exec((data / file).read_text(), namespace)
    return SimpleNamespace(**{k: v for k, v in namespace.items() if not k.startswith("__")})


def bt500(scores, ddof):
    """BT.500 A1-2.3.1 by its text: rows are presentations. The standard's deviation has ddof 1, sureal's 0."""
    up = numpy.zeros(scores.shape[1])
    down = numpy.zeros(scores.shape[1])
    for row in scores:
        if ddof and row.std() == 0:  # sureal counts equal scores as outside on both sides
            continue
        near = 2 <= scipy.stats.kurtosis(row, fisher=False) <= 4
        reach = (2 if near else 20**0.5) * row.std(ddof=ddof)
        up += row >= row.mean() + reach
        down += row <= row.mean() - reach
    share = (up + down) / len(scores)
    with numpy.errstate(invalid="ignore"):
        return share, (share > 0.05) & (abs(up - down) / (up + down) < 0.3)


# Rows are clips, columns raters.
for name, file in (("nflx", "nflx.py"), ("nflx_outliers", "nflx_outliers.py")):
    dataset = study(file)
    reader = RawDatasetReader(dataset)
    screened = SubjrejMosModel(reader).run_modeling()
    scores = numpy.array([video["os"] for video in dataset.dis_videos])
    assert (bt500(scores, 0)[1] == screened["observer_rejected"]).all()
    share, excluded = bt500(scores, 1)
    write(
        name,
        data=[video["os"] for video in dataset.dis_videos],
        oracle={"sureal": versions["sureal"]},
        bt500={
            "excluded": excluded.tolist(),
            "share": share.tolist(),
        },
    )
print(versions)

# Wins, comparisons, and the ends of an interval at 95 %. SciPy has the corrected one, of whole counts.
counts = [(0, 1), (1, 1), (0, 7), (7, 7), (1, 20), (3, 8), (2.5, 9), (29, 58), (177, 297), (1234, 1250), (499999, 1000000)]


def ends(method):
    return [[k, n, *map(float, proportion_confint(k, n, alpha=0.05, method=method))] for k, n in counts]


def corrected(k, n):
    found = scipy.stats.binomtest(k, n).proportion_ci(0.95, "wilsoncc")
    return [k, n, float(found.low), float(found.high)]


write(
    "shares",
    source="counts of our own",
    oracle={name: versions[name] for name in ("statsmodels", "scipy")},
    wilson=ends("wilson"),
    exact=ends("beta"),
    wilsoncc=[corrected(k, n) for k, n in counts if k == int(k)],
    agresti_coull=ends("agresti_coull"),
)
