import { describe, expect, test } from "vitest";
import { studyReader } from "../support/study-reader.js";

const { readStudy, rowsOf } = studyReader("recount-queries");

const votes = "who,item,score,extra\nann,a,5,\nbob,b,,x\ncat,c,3,\n";
const studyOf = (sql: string, list = "rater: who, item: item, score: score", more = "") =>
  `study: { id: demo }\nfiles:\n  votes: votes.csv\n  names: names.csv\n${more}  rows: { sql: ${JSON.stringify(sql)} }\nratings: { from: rows, ${list} }\n`;
const files = { "votes.csv": votes, "names.csv": "item,name\na,Ash\nc,Cedar\n" };
const read = (...of: Parameters<typeof studyOf>) => readStudy(studyOf(...of), files);

const attacks: Readonly<Record<string, readonly string[]>> = {
  "must be one SELECT": [
    "copy votes to 'x.csv'",
    "attach 'x.db'",
    "install spatial",
    "load spatial",
    "call enable_logging()",
    "create table x as select 1",
    "explain analyze select * from votes",
    "merge into votes using names on true when matched then delete",
    "export database 'x'",
    "select 1; select 2",
    "pivot votes on item using sum(score)",
  ],
  sql: [""],
  "syntax error": ["select ]"],
  "pivot is not allowed": ["from (pivot votes on item in ('a') using max(score))"],
  "show, describe and summarize": [
    "show tables",
    "describe votes",
    "summarize votes",
    "select * from (show all tables)",
  ],
  "is not among files": [
    "from 'votes.csv'",
    "from '/etc/passwd'",
    'from "https://example.org/x.csv"',
    "from information_schema.tables",
    "from votes semi join 'x.parquet' using (item)",
    "from vote",
    "from rows",
    "select (select max(a) from '/etc/passwd') from votes",
    "from votes where exists (from 'x.parquet')",
    "with a as (from 'x.csv') from a",
    "with recursive a as (select 1 as n union all from 'x.csv') from a",
  ],
  "letters, digits and _": ['with "/etc/passwd" as (select 1) from "/etc/passwd"'],
  "is not allowed": [
    "from read_csv('/etc/passwd')",
    "from read_text('/etc/passwd')",
    "from read_parquet('x')",
    "from glob('*')",
    "from sniff_csv('votes.csv')",
    "from query('select 1')",
    "from query_table('votes')",
    "from enable_logging()",
    "from duckdb_secrets()",
    "from repeat_row(1, num_rows = 9)",
    "from json_execute_serialized_sql('{}')",
    "from votes, lateral (from glob('*'))",
    "select *, random() as r from votes",
    "from votes limit (select count(*) from read_text('x'))",
    "select *, {'a': list_reduce(['HOME'], lambda a, b: getenv(b), 'x')} as r from votes",
    "select *, try(system.main.getenv('HOME')) as r from votes",
    "select *, json_serialize_plan('from glob(''*'')') as r from votes",
    "select u.a, 1 as item from unnest((select list(content) from read_text('x'))) as u(a)",
    "from votes order by random()",
    "from votes qualify row_number() over (order by uuidv7()) = 1",
    "select *, now() as r from votes",
    "select *, current_date as r from votes",
    "select *, ago(interval 1 day) as r from votes",
    "select *, age(timestamp '2024-01-01') as r from votes",
    "select any_value(item) as item from votes",
    "select first(item) as item from votes",
    "select *, list_transform([1], lambda x: random()) as r from votes",
    "select *, getenv('HOME') as r from votes",
    "select *, current_setting('threads') as r from votes",
    "select *, current_connection_id() as r from votes",
    "select *, current_user as r from votes",
    "select *, current_database() as r from votes",
  ],
  tablesample: ["from votes tablesample 10%", "select * from votes using sample 1"],
};

describe("a query", () => {
  test.each(
    Object.entries(attacks).flatMap(([says, all]) => all.map((sql) => [sql, says] as const)),
  )("%s is refused: %s", async (sql, says) => {
    const { code, said } = await read(sql);
    expect([code, said]).toEqual([4, expect.stringContaining(says)]);
    expect(said).toMatch(/m\.yaml, line [56]/);
    // The word that it refuses is one of the query.
    const word = / ([^ ]+?)(\(\))? is not (allowed|among)/.exec(said)?.[1] ?? "";
    expect(sql.toLowerCase()).toContain(word);
  });

  test("joins, unpivots and counts over names of files, and over another query", async () => {
    const more =
      '  twice: { sql: "select line, file, who, item, score from votes, range(2) order by line" }\n';
    const { code, untaken } = await read(
      "with n as (from names) select t.line, t.file, who, name as item, score from twice as t join n using (item) order by line",
      "key: [], rater: who, item: item, score: score",
      more,
    );
    expect([code, untaken]).toEqual([0, ["1: votes.csv, line 3"]]);
    expect(await rowsOf("select stimulus, count(*)::int as n from ratings group by 1")).toEqual([
      { stimulus: "Ash", n: 2 },
      { stimulus: "Cedar", n: 2 },
    ]);
  });

  test("says of a row that does not fit the line of the file, or that it cannot tell", async () => {
    const list = "rater: who, item: item, score: { column: score, maximum: 4 }";
    const told = await read("select line, who, item, score from votes order by line", list);
    expect(told.reasons).toEqual([
      'votes.csv, line 2: score (score): "5" is above the maximum of 4.',
    ]);
    const untold = await read("select who, item, score from votes", list);
    expect(untold.reasons.join()).toContain("rows, record 1: score");
    expect(untold.said).toContain("without a column line it cannot tell which records gave no row");
  });

  test("has its rows in the order of all columns unless it states one", async () => {
    const order = async (sql: string, more = "") => {
      const { code } = await read(sql, `rater: who, item: item, score: score${more}`);
      const [row] = await rowsOf("select string_agg(stimulus order by slate_id) as s from ratings");
      return code === 0 ? row?.s : code;
    };
    const sql = "select -line as n, item, who, score, line from votes";
    expect(await order(sql)).toBe("c,b,a");
    expect(await order(`${sql} order by item`, ", order: row")).toBe("a,b,c");
    expect(await order(sql, ", order: row")).toBe(4);
  });

  test.each([
    [
      "select line, who, item, nullif(score, score) as score from votes",
      4,
      /"score".* is empty in every row of files\.rows/,
    ],
    ["select line, who, item, scores as score from votes", 4, /line 5: files\.rows\.sql: .*scores/],
    [
      "select line, who, item, (item || 'x')::int as score from votes",
      3,
      /Could not convert string/,
    ],
    [
      "select line, who, item, score from votes, (select unnest(range(10000000000)))",
      3,
      /larger than/,
    ],
    [
      "select * from (select line, who, item, score from votes) where false",
      4,
      /nothing can be imported/,
    ],
  ])("%s ends with %d", async (sql, code, says) => {
    const study = await read(sql);
    expect([study.code, study.said]).toEqual([code, expect.stringMatching(says)]);
  });
});

describe("what earlier versions read is refused with what to write", () => {
  const lists = (own: string, kind = "ratings") =>
    `study: { id: demo }\nfiles: { votes: votes.csv }\n${kind}: { from: votes, ${own} }\n`;
  const ratings = (own: string) => lists(`item: item, score: score, ${own}`);
  const winner = (own: string) => lists(`left: who, right: item, ${own}`, "comparisons");
  test.each([
    [
      "study: { id: demo }\nfiles: { votes: { path: votes.csv, rows: [a] } }",
      /line 2: files\.votes\.rows: .*json_each/,
    ],
    [ratings('rater: "#"'), /line 3: ratings\.rater: .*write line/],
    [ratings("key: [who, a.#]"), /line 3: ratings\.key: .*write line/],
    [ratings("rater: { column: who, field: id }"), /ratings\.rater\.field: .*completed_by\.id/],
    [lists('wide: { score: "s_*_*" }'), /ratings\.wide\.score: .*unpivot/],
    [lists('wide: { score: "s_*", as: slate }'), /ratings\.wide\.as: .*one of item, rater/],
    [lists('wide: { score: "s_*", item: "i_*" }'), /ratings\.wide\.item: .*p808-acr/],
    [lists('item: item, wide: { score: "s_*", dimension: true }'), /write as: dimension/],
    [winner("winner: { item: item }"), /comparisons\.winner\.item: .*write winner: chosen/],
    [
      winner("winner: { columns: { left: a, right: b } }"),
      /comparisons\.winner\.columns: .*case when/,
    ],
    [
      winner("winner: item, covariates: { tokens: { left: a, right: b } }"),
      /a list of columns, as \[tokens\]/,
    ],
  ])("%s", async (yaml, says) => {
    const { code, said } = await readStudy(yaml, files);
    expect([code, said]).toEqual([4, expect.stringMatching(says)]);
  });

  test("but a board may have a column that is named #", async () => {
    const yaml =
      "study: { id: demo }\nfiles: { votes: votes.csv, board: board.csv }\n" +
      "ratings: { from: votes, rater: who, item: item, score: score }\n" +
      'published: [{ kind: mean, from: board, item: item, fields: { value: mos, rank: "#" } }]\n';
    const { code, said } = await readStudy(yaml, {
      "votes.csv": "who,item,score\nu,a,4\nu,b,3\n",
      "board.csv": "#,item,mos\n1,a,4\n2,b,3\n",
    });
    expect([code, said]).toEqual([0, expect.not.stringContaining("#")]);
  });
});
