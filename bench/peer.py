"""What people do by hand: pair ratings with DuckDB, then evalica; or pandas and scipy. Prints its own use of resources."""

import json
import resource
import sys
import time
from glob import glob

started = time.time()
task, snapshot = sys.argv[1:]


def leaderboards():
    import duckdb
    import evalica

    pairs = duckdb.sql(f"""
        with counted as (
            select r.slate_id, r.stimulus, r.score, s.date_completed, r.session_id, l.date_updated
            from '{snapshot}/*/ratings.parquet' as r
            join '{snapshot}/*/sessions.parquet' as s on s.id = r.session_id
            join '{snapshot}/*/slates.parquet' as l on l.id = r.slate_id
            where not r.is_training and s.date_completed is not null
        )
        select min(stimulus) as a, max(stimulus) as b, min_by(score, stimulus) as score_a, max_by(score, stimulus) as score_b
        from counted
        group by session_id, slate_id
        having count(*) = 2
        order by any_value(date_completed), session_id, any_value(date_updated), slate_id
    """).fetchnumpy()
    a, b = pairs["a"].tolist(), pairs["b"].tolist()
    outcome = [
        evalica.Winner.X if x > y else evalica.Winner.Y if x < y else evalica.Winner.Draw
        for x, y in zip(pairs["score_a"].tolist(), pairs["score_b"].tolist())
    ]
    return sum(len(f(a, b, outcome).scores) for f in (evalica.elo, evalica.bradley_terry, evalica.counting))


def scores():
    import pandas
    from scipy import stats

    ratings = pandas.read_parquet(glob(f"{snapshot}/*/ratings.parquet"), columns=["session_id", "stimulus", "score", "is_training"])
    sessions = pandas.read_parquet(glob(f"{snapshot}/*/sessions.parquet"), columns=["id", "date_completed"])
    done = sessions.loc[sessions["date_completed"].notna(), "id"]
    counted = ratings[~ratings["is_training"] & ratings["session_id"].isin(done)]
    by_item = counted.groupby("stimulus", observed=True)["score"]
    table = by_item.describe()
    half = stats.t.ppf(0.975, table["count"] - 1) * table["std"] / table["count"] ** 0.5
    return len(table.assign(low=table["mean"] - half, high=table["mean"] + half))


rows = {"leaderboards": leaderboards, "scores": scores}[task]()
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "rows": rows,
    "seconds": time.time() - started,
    "cpuSeconds": usage.ru_utime + usage.ru_stime,
    "peakMb": usage.ru_maxrss / 1024,
}))
