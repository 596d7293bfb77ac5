#!/usr/bin/env python3
"""Write the files of a study whose source is a program, which no query reads, from a copy of its repository.

    python3 data/studies/prepare.py sound-fields copies/BradleyTerry2 studies/sound-fields
    recount import studies/sound-fields/mapping.yaml --lake lake

Only what the mapping names is taken. Values are copied as they are written.
"""

import ast
import csv
import json
import re
import shutil
import sys
from pathlib import Path


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def literal(path, name):
    """The list that a data set of sureal assigns to a name; its paths of videos lose their folder."""
    source = path.read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(re.sub(r"\w+_dir \+ ", "", ast.get_source_segment(source, node.value)))
    raise SystemExit(f"{path}: has no {name}")


def netflix(copy, out):
    """Opinion scores of 79 videos, of which the first nine are references, and the numbers that tests expect."""
    videos = literal(copy / "test/resource/NFLX_dataset_public_raw.py", "dis_videos")
    (out / "dataset.json").write_text(json.dumps({"dis_videos": videos}), encoding="utf-8")
    tests = (copy / "test/subjective_model_test.py").read_text(encoding="utf-8")
    for name in ("mos", "dmos"):
        body = re.search(rf"def test_{name}_subjective_model\(self\):(.*?)\n    def ", tests, re.S).group(1)
        found = re.findall(r"\(scores\[(\d+)\], ([\d.]+), places=4", body)
        write(out / f"{name}.csv", ["item", "value"], found)


def sound_fields(copy, out):
    """Comparisons with flute music, one row each, and table 3 of Kousgaard (1984) as the manual quotes it."""
    source = re.sub(r"\s+", " ", (copy / "data/sound.fields.R").read_text(encoding="utf-8"))

    def column(name):
        number = re.search(rf"\b{name} = (?:structure\()?c\(([^)]*)\)", source).group(1)
        return [int(one.strip(" L")) for one in number.split(",")]

    fields = ["000", "001", "010", "011", "100", "101", "110", "111"]
    rows = zip(*(column(name) for name in ("field1", "field2", "win1", "tie", "win2", "instrument")), strict=True)
    votes = []
    for first, second, wins, ties, losses, instrument in rows:
        if instrument == 2:
            for winner, count in (("left", wins), ("tie", ties), ("right", losses)):
                votes += [[fields[first - 1], fields[second - 1], winner]] * count
    write(out / "votes.csv", ["left", "right", "winner"], votes)
    manual = (copy / "man/sound.fields.Rd").read_text(encoding="utf-8")
    numbers = re.search(r"table3.flutes <- c\(([^)]*)\)", manual).group(1).split(",")
    write(out / "table3.csv", ["field", "estimate"], [[f, n.strip()] for f, n in zip(fields, numbers, strict=True)])


studies = {"netflix-public": netflix, "sound-fields": sound_fields}


def main(study, copy, out):
    if study not in studies:
        raise SystemExit(f"There is no study {study}. There are {', '.join(studies)}.")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(__file__).with_name(f"{study}.yaml"), folder / "mapping.yaml")
    studies[study](Path(copy).expanduser(), folder)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit("usage: prepare.py STUDY COPY OUT")
    main(*sys.argv[1:])
