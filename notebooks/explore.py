"""A lake in a marimo notebook: a ranking with intervals, its verdicts, and the ratings of one number.

marimo edit notebooks/explore.py -- --database recount-demo/lake/Listen42/derived/<snapshot>/recount.duckdb
"""

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    from html import escape
    from pathlib import Path

    import duckdb
    import marimo as mo

    newest = sorted(Path(".").glob("*/lake/*/derived/*/recount.duckdb"))
    given = mo.cli_args().get("database") or (newest[-1] if newest else None)
    if given is None:
        raise SystemExit("No recount.duckdb here: run `recount transform`, or pass -- --database FILE.")
    db = duckdb.connect(str(given), read_only=True)

    def rows(sql, *values):
        found = db.execute(sql, values)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    mo.md(f"# {given}")
    return db, escape, mo, rows


@app.cell
def _(mo, rows):
    known = rows(
        "select distinct experiment_name || ' (' || experiment_id || ')' as label, experiment_id "
        "from leaderboard where source = '' order by all"
    )
    experiment = mo.ui.dropdown(
        {one["label"]: one["experiment_id"] for one in known}, value=known[0]["label"], label="Experiment"
    )
    experiment
    return (experiment,)


@app.cell
def _(experiment, mo, rows):
    choices = rows(
        "select distinct kind, dimension, interval is null as is_last from leaderboard "
        "where experiment_id = ? and source = '' order by is_last, kind, dimension",
        experiment.value,
    )
    options = {" ".join(filter(None, [one["kind"], one["dimension"]])): one for one in choices}
    ranking = mo.ui.dropdown(options, value=next(iter(options)), label="Kind")
    ranking
    return (ranking,)


@app.cell
def _(escape, experiment, mo, ranking, rows):
    kind, dimension = ranking.value["kind"], ranking.value["dimension"]
    board = rows(
        "select rank, item, value, low, high, interval, n from leaderboard "
        "where experiment_id = ? and kind = ? and dimension = ? and source = '' order by rank, item",
        experiment.value,
        kind,
        dimension,
    )
    ends = [one[name] for one in board for name in ("low", "value", "high") if one[name] is not None]
    first, last = min(ends), max(ends)
    x = lambda value: 220 + 480 * (value - first) / ((last - first) or 1)
    lines = []
    for place, one in enumerate(board):
        y = 16 + 24 * place
        if one["low"] is not None and one["high"] is not None:
            lines.append(
                f'<line x1="{x(one["low"]):.1f}" x2="{x(one["high"]):.1f}" y1="{y}" y2="{y}" stroke="#888"/>'
            )
        lines.append(f'<circle cx="{x(one["value"]):.1f}" cy="{y}" r="4" fill="#1f6feb"/>')
        lines.append(f'<text x="210" y="{y + 4}" text-anchor="end">{escape(one["item"])}</text>')
        lines.append(f'<text x="790" y="{y + 4}" text-anchor="end">{one["value"]:.4g}</text>')
    intervals = ", ".join(sorted({one["interval"] for one in board if one["interval"]})) or "none"
    mo.md(
        f"## {escape(kind)} {escape(dimension)}\n\nIntervals: {escape(intervals)}.\n\n"
        f'<svg viewBox="0 0 800 {24 * len(board) + 8}" font-size="13" fill="currentColor" role="img" '
        f'aria-label="Items by rank">{"".join(lines)}</svg>'
    )
    return board, dimension, kind


@app.cell
def _(dimension, experiment, kind, mo, rows):
    audited = rows("select 1 from duckdb_tables() where table_name = 'published_vs_recomputed'")
    verdicts = audited and rows(
        "select verdict, count(*) as numbers, string_agg(distinct explanation, '; ') as explanation "
        "from published_vs_recomputed where experiment_id = ? and kind = ? and dimension = ? and source = '' "
        "group by verdict order by numbers desc",
        experiment.value,
        kind,
        dimension,
    )
    mo.vstack(
        [
            mo.md("## Verdicts"),
            mo.ui.table(verdicts, selection=None)
            if verdicts
            else mo.md("No number of this kind was audited. `recount audit` adds the verdicts."),
        ]
    )
    return (verdicts,)


@app.cell
def _(board, mo):
    item = mo.ui.dropdown([one["item"] for one in board], value=board[0]["item"], label="Number of")
    item
    return (item,)


@app.cell
def _(board, dimension, experiment, item, kind, mo, rows):
    where = (experiment.value, dimension, item.value)
    is_compared = kind not in ("mean", "percent_approved")
    traced = (
        rows(
            "select session_id, slate_id, rater_id, if(item_a = item, item_b, item_a) as opponent, "
            "case winner when item then 'won' when opponent then 'lost' else 'tied' end as result "
            "from (select *, unnest([item_a, item_b]) as item from comparisons) "
            "where experiment_id = ? and dimension = ? and item = ? order by session_id, slate_id",
            *where,
        )
        if is_compared
        else rows(
            "select session_id, slate_id, rater_id, score from ratings "
            "where experiment_id = ? and dimension = ? and stimulus = ? and not is_training and score is not null "
            "and session_id in (select id from sessions where date_completed is not null) "
            "order by session_id, slate_id",
            *where,
        )
    )
    number = next(one for one in board if one["item"] == item.value)
    what = "comparisons" if is_compared else "ratings of completed sessions, without training"
    mo.vstack(
        [
            mo.md(f"## {item.value}: {number['value']:.6g}, from {len(traced)} {what}"),
            mo.ui.table(traced, selection=None, page_size=20),
        ]
    )
    return number, traced


if __name__ == "__main__":
    app.run()
