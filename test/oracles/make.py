"""Makes the files of this folder from public data sets and other implementations.

Run: python make.py DATA, where DATA holds the files that `sources` names. The suite reads the results only.
"""

import itertools
import json
import sys
from importlib.metadata import version
from pathlib import Path

import krippendorff
import numpy
import pandas
import pingouin
import pyreadr
import scipy.stats

data = Path(sys.argv[1])
here = Path(__file__).parent
versions = {name: version(name) for name in ("krippendorff", "pingouin", "numpy", "scipy")}

sources = {
    "codings": "codings.csv of github.com/dustalov/evalica (Apache-2.0)",
    "food": "food.csv of github.com/dustalov/evalica (Apache-2.0)",
    "anxiety": "anxiety.rda of the R package irr 0.84.1",
    "diagnoses": "diagnoses.rda of the R package irr 0.84.1 (Fleiss 1971)",
    "celebrities": "celebrities.rda of the R package eba (Rumelhart and Greeno 1971)",
    "baseball": "baseball.RData of the R package BradleyTerry2 (Agresti 2002)",
    "citations": "citations.R of the R package BradleyTerry2 (Stigler 1994)",
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
        for level in ("nominal", "ordinal", "interval", "ratio")
    },
)

# Rows are units, columns raters.
anxiety = pyreadr.read_r(data / "anxiety.rda")["anxiety"]
shrout = pandas.DataFrame([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
for name, frame in (("anxiety", anxiety), ("shrout", shrout)):
    long = frame.reset_index(drop=True).melt(ignore_index=False).reset_index()
    long.columns = ["unit", "rater", "value"]
    icc = pingouin.intraclass_corr(long, targets="unit", raters="rater", ratings="value")
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

baseball = pyreadr.read_r(data / "baseball.RData")["baseball"]
write("baseball", data=[[str(r.iloc[0]), str(r.iloc[1]), int(r.iloc[2]), int(r.iloc[3])] for _, r in baseball.iterrows()])

names = ["Biometrika", "Comm Statist", "JASA", "JRSS-B"]
citations = numpy.array(
    [714, 33, 320, 284, 730, 425, 813, 276, 498, 68, 1072, 325, 221, 17, 142, 188]
).reshape(4, 4).T  # cited in rows, citing in columns
write("citations", items=names, data=citations.tolist())

food = pandas.read_csv(data / "food.csv")
write("food", data=rows(food))

namespace: dict = {}
exec((data / "nflx.py").read_text(), namespace)
write("nflx", data=[video["os"] for video in namespace["dis_videos"]])
print(versions)
