#!/usr/bin/env python3
"""Write the files that the mapping of a public study reads, from a copy of its repository.

    python3 data/studies/prepare.py llmfao-crowd ~/llmfao studies/llmfao-crowd
    recount import studies/llmfao-crowd/mapping.yaml --lake lake

Only what the mapping names is taken. Values are copied as they are written; texts of prompts and outputs are left out.
"""

import ast
import csv
import html
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


def copied(*names):
    def prepare(copy, out):
        for name in names:
            shutil.copyfile(copy / name, out / Path(name).name)

    return prepare


def llmfao(name, cell):
    """Votes, and the leaderboard that a cell of the notebook shows as a table."""

    def prepare(copy, out):
        shutil.copyfile(copy / f"{name}-comparisons.csv", out / "votes.csv")
        notebook = json.loads((copy / "leaderboard.ipynb").read_text(encoding="utf-8"))
        table = "".join(notebook["cells"][cell]["outputs"][0]["data"]["text/html"])
        rows = [
            [html.unescape(text) for text in re.findall(r"<t[hd]>(.*?)</t[hd]>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", table, re.S)
        ]
        write(out / "board.csv", ["item", "score", "pairs", "rank"], [row for row in rows if len(row) == 4])

    return prepare


def outcome(preference):
    """1 is the baseline and 2 the model; 0 and 1.5 are ties; what is between them counts in part. As a percentage too."""
    if preference is None:
        return [None, None, None]
    value = 1.5 if preference == 0 else preference
    return [preference, 100 * (value - 1), "tie" if value == 1.5 else "win" if value > 1.5 else "loss"]


def alpaca(judge, board):
    """Preferences of one judge, and the rows of its leaderboard whose annotations the copy has."""

    def prepare(copy, out):
        votes = []
        for file in sorted((copy / "results").glob(f"*/{judge}/annotations.json")):
            for place, one in enumerate(json.loads(file.read_text(encoding="utf-8"))):
                votes.append([file.parts[-3], place, *outcome(one["preference"])])
        write(out / "votes.csv", ["model", "place", "preference", "win", "result"], votes)
        models = {vote[0] for vote in votes}
        with (copy / "src/alpaca_eval/leaderboards" / board).open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        write(out / "board.csv", ["model", *header[1:]], [row for row in rows if row[0] in models])

    return prepare


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


def live_hfr(copy, out):
    """A score of -1 means that the subject did not see the video. The MOS lie in rows, turned into columns here."""
    folder = copy / "subjective_scores"
    with (folder / "subject_raw.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    votes = [[row[0], subject, score] for row in rows for subject, score in zip(header[1:], row[1:]) if score != "-1.0"]
    write(out / "scores.csv", ["video", "subject", "score"], votes)
    with (folder / "subject_MOS.csv").open(newline="", encoding="utf-8") as file:
        names, means, deviations = list(csv.reader(file))[:3]
    write(out / "mos.csv", ["video", "mos", "std"], zip(names[1:], means[1:], deviations[1:]))


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


def codecs(copy, out):
    """MUSHRA ratings, one row each; a row of the source has lists of ratings and of participants."""
    rows = []
    with (copy / "mushra_results_dataset/ratings_formated.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for rater, score in zip(json.loads(row["participant_ids"]), json.loads(row["ratings"]), strict=True):
                rows.append([row["signal"], row["condition"], rater, score])
    write(out / "scores.csv", ["signal", "condition", "rater", "score"], rows)


def voices(folder, pattern, column):
    """Preferred voices, one row each: a matrix counts how often the row was preferred to the column. And the utilities
    that the page of the crowdsourced test prints for both tests."""

    def prepare(copy, out):
        votes = []
        for file in sorted((copy / "data/subjective_ratings" / folder).glob(pattern)):
            listener = file.stem.removeprefix("preferencematrix_")
            if listener != "total":
                with file.open(newline="", encoding="utf-8") as source:
                    names, *rows = csv.reader(source, skipinitialspace=True)
                for left, row in zip(names, rows, strict=True):
                    for right, count in zip(names, row, strict=True):
                        votes += [[listener, left, right, "left"]] * int(count)
        write(out / "votes.csv", ["listener", "left", "right", "winner"], votes)
        page = (copy / "analysis/voice_likability/crowdsourcing/R/applying_BTL_crowdsourcing.md").read_text(encoding="utf-8")
        numbers = re.findall(r"^ +## (\w+) +(0\.\d+) +(0\.\d+) *$", page, re.M)
        write(out / "board.csv", ["voice", "utility"], [[row[0], row[column]] for row in numbers])

    return prepare


def mqm_weight(category, severity):
    """The penalty of an error, as the README of the repository states it."""
    if category.lower().startswith("non-translation"):
        return 25
    if severity.lower() == "minor" and category == "Fluency/Punctuation":
        return 0.1
    return {"major": 5, "minor": 1}.get(severity.lower(), 0)


def mqm_ted(pair, title):
    """Penalties of a segment of a system by its rater, and the board of the README with its ranks."""

    def prepare(copy, out):
        scores = {}
        with (copy / f"ted/{pair}/mqm_ted_{pair}.tsv").open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                key = (row["system"], row["doc"], row["doc_id"], row["rater"])
                scores[key] = scores.get(key, 0) + mqm_weight(row["category"], row["severity"])
        header = ["system", "doc", "place", "rater", "penalty"]
        write(out / "scores.csv", header, [[*key, round(score, 1)] for key, score in scores.items()])
        page = (copy / "README.md").read_text(encoding="utf-8")
        board = page.split("## TED talks ##")[1].split(f"### {title} ###")[1].split("##")[0]
        rows = re.findall(r"^\| ([\w.-]+) \| ([\d.]+)\((\d+)\) \|", board, re.M)
        write(out / "board.csv", ["system", "mqm", "rank"], rows)

    return prepare


ALPACA, ALPACA_2 = "data_AlpacaEval", "data_AlpacaEval_2"
studies = {
    "evalica-food": copied("food.csv", "food-golden.csv"),
    "evalica-simple": copied("simple.csv", "simple-golden.csv"),
    "evalica-llmfao": copied("llmfao.csv", "llmfao-golden.csv"),
    "llmfao-crowd": llmfao("crowd", 5),
    "llmfao-gpt4": llmfao("gpt4-crowd", 8),
    "llmfao-gpt3": llmfao("gpt3-crowd", 11),
    "alpaca-gpt4": alpaca("alpaca_eval_gpt4", f"{ALPACA}/alpaca_eval_gpt4_leaderboard.csv"),
    "alpaca-weighted": alpaca(
        "weighted_alpaca_eval_gpt4_turbo", f"{ALPACA_2}/weighted_alpaca_eval_gpt4_turbo_leaderboard.csv"
    ),
    "alpaca-cot": alpaca("alpaca_eval_cot_gpt4_turbo_fn", f"{ALPACA_2}/alpaca_eval_cot_gpt4_turbo_fn_leaderboard.csv"),
    "alpaca-turbo": alpaca("alpaca_eval_gpt4_turbo_fn", f"{ALPACA_2}/alpaca_eval_gpt4_turbo_fn_leaderboard.csv"),
    "netflix-public": netflix,
    "live-hfr": live_hfr,
    "sound-fields": sound_fields,
    "codecs-mushra": codecs,
    "voices-lab": voices("data_listeningtest7", "preferencematrix_*.csv", 2),
    "p1203": copied("subjective_scores/ratings.csv", "subjective_scores/mos.csv"),
    "ted-ende": mqm_ted("ende", "English to German"),
    "ted-zhen": mqm_ted("zhen", "Chinese to English"),
    "voices-crowd": voices("data_listeningtest8", "preferencematrix_onlyaccepted.csv", 1),
}


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
