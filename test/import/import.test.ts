import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseMapping } from "../../src/import/mapping.js";
import { readSnapshot } from "../../src/lake/index.js";
import { messageOf, UsageError } from "../../src/platform/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { studyReader } from "../support/study-reader.js";
import { isWhole } from "../support/whole.js";

const folder = folderOfTests("recount-import");
const reader = studyReader("recount-read");
const { readStudy, rowsOf } = reader;

function imported(name: string, files: Readonly<Record<string, string>>) {
  const lake = join(folder, `${name}-lake`);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const run = () => recountHere(["import", join(folder, "m.yaml"), "--lake", lake]);
  const query = async (sql: string) => {
    const { stdout } = await recountHere(["query", "--lake", lake, "--format", "json", sql]);
    return JSON.parse(stdout) as unknown;
  };
  return { lake, run, query };
}

const votes = `id,who,left,right,winner
1,ann,A,B,left
2,ann,B,C,Right
3,bob,A,C,tie
4,bob,A,B,right
4,bob,A,B,right
5,bob,A,A,left
6,,C,B,both bad
`;

const mapping = `
study: { id: demo, type: pairwise_text }
files: { votes: votes.csv, board: board.csv }
comparisons:
  from: votes
  key: [id]
  rater: who
  order: row
  left: left
  right: right
  winner: { column: winner, values: { left: left, right: right, tie: [tie, both bad] } }
published:
  - { kind: win_loss, from: board, item: item, fields: { wins: wins, ties: ties } }
`;

const board = "item,wins,ties\nA,1,1\nB,1,1\nC,0,2\n";

describe("an import", () => {
  test("makes each record a row or quarantines it with file, line, column, value and the nearest spelling", async () => {
    const { run, query, lake } = imported("rows", {
      "m.yaml": mapping,
      "votes.csv": votes,
      "board.csv": board,
    });
    const { code, stderr, stdout } = await run();
    expect(stdout).toContain("Imported");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("2 records of comparisons in quarantine"),
    ]);
    expect(stderr).toContain(
      'votes.csv, line 3: winner (winner): "Right" is not one of "left", "right", "tie", "both bad". The nearest is "right".',
    );
    expect(
      await query("select stimulus, score, rater_id from ratings where slate_id = 2 order by all"),
    ).toEqual([
      { stimulus: "A", score: 0.5, rater_id: "bob" },
      { stimulus: "C", score: 0.5, rater_id: "bob" },
    ]);
    expect(
      await query("select item, wins, losses, ties from metric_win_loss order by all"),
    ).toEqual([
      { item: "A", wins: 1, losses: 1, ties: 1 },
      { item: "B", wins: 1, losses: 1, ties: 1 },
      { item: "C", wins: 0, losses: 0, ties: 2 },
    ]);
    const audit = await recountHere(["audit", "--lake", lake]);
    expect(audit.stdout).toContain("All 6 published numbers follow");
    const verified = await recountHere(["verify", "--lake", lake]);
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
  });

  test("says why records are in quarantine without their values, also in the audit", async () => {
    const cells = ["4", "no", '" is secret. ', 'me" is secret. ', "\\\\", "1", ""];
    const rows = cells.map((cell, i) => `u${i},A,"${cell.replaceAll('"', '""')}"\n`).join("");
    const { run, lake } = imported("reasons", {
      "m.yaml":
        "study: { id: reasons }\nfiles: { own: own.csv, board: board.csv }\n" +
        "ratings: { from: own, rater: who, item: item, score: score, direction: higher }\n" +
        "published: [{ kind: mean, from: board, item: item, fields: { value: wins } }]\n",
      "own.csv": `who,item,score\n${rows}`,
      "board.csv": board,
    });
    await run();
    const { manifest } = await readSnapshot(lake, "reasons");
    const reasons = ["score does not fit", "score is not a finite number"];
    expect(
      manifest.units.flatMap(({ parts }) => parts.flatMap((part) => part.reasons ?? [])),
    ).toEqual(reasons);
    const { stdout } = await recountHere(["audit", "--lake", lake]);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      `3 numbers inconclusive: 4 rows of ratings in quarantine: ${reasons.join(" and ")} (`,
    );
    expect(stdout).not.toContain("secret");
  });

  test("quarantines a record of a second file with the line that it has there", async () => {
    const more = "id,who,left,right,winner\n8,ann,A,B,left\n9,bob,B,C,Left\n10,bob,A,C,tie\n";
    const { run, lake } = imported("second", {
      "m.yaml": mapping.replace("votes: votes.csv", "votes: [votes.csv, votes2.csv]"),
      ...{
        "votes.csv": votes.split("\n").slice(0, 2).join("\n"),
        "votes2.csv": more,
        "board.csv": board,
      },
    });
    const where = 'votes2.csv, line 3: winner (winner): "Left" is not one of';
    expect((await run()).stderr).toContain(where);
    const files = readdirSync(lake, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".jsonl"),
    );
    const quarantined = files
      .map((file) => readFileSync(join(lake, file), "utf8"))
      .filter((text) => text.includes("winner"));
    expect(quarantined.map((text) => JSON.parse(text) as unknown)).toEqual([
      {
        element: 0,
        reason: expect.stringContaining(where) as string,
        raw: expect.stringContaining("Left") as string,
      },
    ]);
  });

  test("reads local times in the zone that the mapping states", async () => {
    const { code, said } = await readStudy(
      "study: { id: demo }\nfiles: { a: a.csv }\n" +
        "ratings: { from: a, item: item, score: score, rater: who, time: { column: at, zone: Europe/Berlin } }\n",
      { "a.csv": "who,item,score,at\nann,A,1,2026-03-05 04:38\nbob,A,2,2026-07-05 04:38\n" },
    );
    expect([code, said]).toEqual([0, ""]);
    expect(await rowsOf("select date_updated::varchar as at from sessions order by all")).toEqual([
      { at: "2026-03-05 03:38:00+00" },
      { at: "2026-07-05 02:38:00+00" },
    ]);
  });

  test("keeps slates of one name in different sessions apart", async () => {
    const { code, said } = await readStudy(
      "study: { id: demo }\nfiles: { a: a.csv }\n" +
        "ratings: { from: a, item: item, score: score, rater: who, session: who, slate: page }\n",
      { "a.csv": "who,page,item,score\nann,1,A,1\nbob,1,A,2\nann,1,B,3\nann,2,A,4\n" },
    );
    expect([code, said]).toEqual([0, ""]);
    expect(
      await rowsOf(
        "select any_value(rater_id) as rater, list_sort(list(score)) as scores from ratings group by slate_id order by all",
      ),
    ).toEqual([
      { rater: "ann", scores: [1, 3] },
      { rater: "ann", scores: [4] },
      { rater: "bob", scores: [2] },
    ]);
  });

  test.runIf(isWhole)(
    "takes the rows of the previous snapshot if neither files nor mapping changed",
    async () => {
      const { run } = imported("again", {
        "m.yaml": mapping,
        "votes.csv": votes,
        "board.csv": board,
      });
      await run();
      const again = await run();
      expect(again.stderr).toContain("Neither the files nor the mapping changed");
      writeFileSync(
        join(folder, "m.yaml"),
        mapping.replace("[tie, both bad]", "[tie, both bad, Right]"),
      );
      const other = await run();
      expect([other.code, other.stderr]).toEqual([
        2,
        expect.stringContaining("1 record of comparisons in quarantine"),
      ]);
      writeFileSync(join(folder, "board.csv"), board.replace("A,1", "A,2"));
      expect((await run()).stderr).not.toContain("Neither");
    },
  );

  test("names the line of the mapping and the nearest column for a column that a file lacks", async () => {
    const { code, said } = await readStudy(mapping.replace("left: left\n", "left: lft\n"), {
      "votes.csv": votes,
      "board.csv": board,
    });
    expect([code, said]).toEqual([
      4,
      expect.stringMatching(
        /m\.yaml, line 5: comparisons names the column "lft", which .*votes\.csv lacks\. Did you mean left\?/,
      ),
    ]);
  });

  test("names a field that no element of JSON has, and a column of a wide list that is not there", async () => {
    const list = "study: { id: demo }\nfiles: { a: a.jsonl, b: b.csv }\nratings:\n";
    const files = {
      "a.jsonl": '{"item":"A","score":1}\n{"worker":"w"}\n',
      "b.csv": "who,A,B\nann,1,2\n",
    };
    const saidOf = async (ratings: string) => (await readStudy(list + ratings, files)).said;
    expect(await saidOf("  { from: a, item: item, score: score, rater: wroker }")).toMatch(
      /m\.yaml, line 4: ratings names the column "wroker", which .*a\.jsonl lacks\. Did you mean worker\?/,
    );
    expect(await saidOf("  { from: b, rater: who, wide: { score: [A, C] } }")).toContain(
      "no column matches C.",
    );
  });

  test.runIf(isWhole).each(["m.yaml", "inline"])(
    "runs and is checked from a pipeline file, its mapping in %s",
    async (where) => {
      const files = {
        "m.yaml": mapping,
        "votes.csv": votes.replace("Right", "right"),
        "board.csv": board,
      };
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
      const own = where === "inline" ? mapping.trim().replaceAll("\n", "\n  ") : "";
      const pipeline = join(folder, `${where}-pipeline.yaml`);
      writeFileSync(
        pipeline,
        `import: ${own === "" ? where : `\n  ${own}`}\nlake: ${where}-lake\noutputs: { audit: ${where}.json }\n`,
      );
      const checked = await recountHere(["check", pipeline]);
      expect([checked.code, checked.stdout]).toEqual([
        0,
        expect.stringContaining("2 files of the study demo"),
      ]);
      const run = await recountHere(["run", pipeline]);
      // A vote is in quarantine, so that the run is not whole.
      expect([run.code, run.stderr]).toEqual([
        2,
        expect.stringContaining("1 record of comparisons in quarantine"),
      ]);
      expect(run.stdout).toContain("win_loss");
      const other = await recountHere(["run", pipeline, "--project", "Other"]);
      expect([other.code, other.stderr]).toEqual([
        4,
        expect.stringContaining("The project is Other, but its mapping has study.id: demo."),
      ]);
    },
  );
});

const tasks = [10, 11].map((id) => ({
  id,
  data: { item: "clip" },
  annotations: [1, 2].map((rater) => ({
    id: id * 10 + rater,
    completed_by: { id: rater, email: `x${rater}@example.org` },
    was_cancelled: false,
    created_at: "2024-01-02T03:04:05.6Z",
    result: [
      { value: { rating: id - 9 + rater }, from_name: "rating", to_name: "audio", type: "rating" },
    ],
  })),
}));
const [task] = tasks;

const mushra = `session_test_id,session_uuid,trial_id,rating_stimulus,rating_score,rating_time,rating_comment
t,u1,tr1,reference,100,1,
t,u1,tr1,C1,60,1,
t,u2,tr1,reference,90,1,
t,u2,tr1,C1,20,1,
t,u2,tr1,reference,90,1,
t,u2,tr1,C1,20,1,
`;

const oneHot = `id,model_a,model_b,winner_model_a,winner_model_b,winner_tie
1,fir,oak,1,0,0
2,oak,elm,0,1,0
3,elm,fir,0,0,1
4,fir,elm,1,1,0
5,oak,fir,0,0,0
`;
const oneHotList = (mark: string, values: string, key = "key: [id], ", files = "d") =>
  `  - { from: ${files}, ${key}only: { ${mark}: 1 }, left: model_a, right: model_b, winner: { column: ${mark}, values: { ${values} } } }`;

describe("a record counts once", () => {
  test("if a tool wrote it twice, by the key of its preset", async () => {
    const { code, said } = await readStudy(
      "{ preset: label-studio-rating, study: { id: demo }, files: { tasks: full.json } }",
      { "full.json": JSON.stringify([task, ...tasks]) },
    );
    expect([code, said]).toEqual([
      2,
      expect.stringContaining('row 2: key (annotation, place): "101, 0" is that of an earlier row'),
    ]);
    expect(
      await rowsOf(
        "select rater_id, score, dense_rank() over (order by slate_id) as slate from ratings order by slate",
      ),
    ).toEqual([
      { rater_id: "1", score: 2, slate: 1 },
      { rater_id: "2", score: 3, slate: 2 },
      { rater_id: "1", score: 3, slate: 3 },
      { rater_id: "2", score: 4, slate: 4 },
    ]);
  });

  test("if a session was sent twice", async () => {
    const { code } = await readStudy(
      "{ preset: webmushra-mushra, study: { id: demo }, files: { ratings: mu.csv } }",
      { "mu.csv": mushra },
    );
    expect(code).toBe(2);
    expect(
      await rowsOf(
        "select stimulus, list_sort(list(score)) as scores from ratings group by 1 order by 1",
      ),
    ).toEqual([
      { stimulus: "C1", scores: [20, 60] },
      { stimulus: "reference", scores: [90, 100] },
    ]);
  });

  test("if its cells are those of another and say who rated; without a rater, and with an empty key, equal rows count", async () => {
    const rows = "who,item,score\nann,A,4\nann,A,4\n,A,4\n,A,4\n";
    const scores = async (keys: string) => {
      const { code, said } = await readStudy(
        `{ study: { id: demo }, files: { r: r.csv }, ratings: { from: r, item: item, score: score${keys} } }`,
        { "r.csv": rows },
      );
      return [code, said, await rowsOf("select count(*) as n from ratings")];
    };
    expect(await scores(", rater: who")).toEqual([
      2,
      expect.stringContaining(
        "r.csv, line 3: key: all cells are those of an earlier row. If both count, state key: [].",
      ),
      [{ n: 3 }],
    ]);
    expect(await scores(", rater: who, key: []")).toEqual([0, "", [{ n: 4 }]]);
    expect(await scores("")).toEqual([0, "", [{ n: 4 }]]);
    expect(await scores(', key: ["*"]')).toEqual([2, expect.any(String), [{ n: 2 }]]);
  });

  test("if two of its files are equal: one line names both", async () => {
    const list = (from: string) => `{ from: ${from}, item: item, score: score }`;
    const vote = "item,score\nA,4\n";
    const files = {
      "votes/a.csv": vote,
      "votes/none.csv": "item,score\n",
      "votes/nobody.csv": "item,score\n",
      "copy.csv": vote,
    };
    const read = (names: string, lists: string) =>
      readStudy(`study: { id: demo }\nfiles: ${names}\nratings: ${lists}\n`, files);
    expect((await read("{ v: votes/*.csv }", list("v"))).code).toBe(0);
    const two = await read("{ v: votes/*.csv, w: copy.csv }", `[${list("v")}, ${list("w")}]`);
    expect([two.code, two.said]).toEqual([
      4,
      expect.stringMatching(
        /m\.yaml, line 2: votes\/a\.csv \(files\.v\) and copy\.csv \(files\.w\) are equal, .* Leave one out\.$/,
      ),
    ]);
    symlinkSync(join(reader.folder, "votes/a.csv"), join(reader.folder, "votes/z.csv"));
    const { code, said } = await read("{ v: votes/*.csv }", list("v"));
    expect([code, said]).toEqual([
      4,
      expect.stringContaining("votes/a.csv (files.v) and votes/z.csv (files.v)"),
    ]);
  });

  test("if several lists take it; one that none takes is counted and named", async () => {
    const lists = (key?: string) =>
      [
        oneHotList("winner_model_a", "left: 1, right: 0", key),
        oneHotList("winner_model_b", "left: 0, right: 1", key),
        oneHotList("winner_tie", "left: x, right: y, tie: 1", key),
      ].join("\n");
    const yaml = (key?: string) =>
      `study: { id: demo }\nfiles: { d: votes.csv }\ncomparisons:\n${lists(key)}\n`;
    const taken =
      "votes.csv, line 5: comparisons takes this record too, and a record counts once. Check only and skip of both.";
    const { lake, run } = imported("one-hot", { "m.yaml": yaml(), "votes.csv": oneHot });
    const { code, stderr, stdout } = await run();
    expect([code, stderr]).toEqual([2, expect.stringContaining(taken)]);
    expect(stdout).toContain("1 record of d in no list (the first: votes.csv, line 6)");
    const { manifest } = await readSnapshot(lake, "demo");
    expect(manifest.imported?.untaken).toEqual([
      { name: "d", records: 1, source: 0, place: "line 6" },
    ]);
    expect((await recountHere(["verify", "--lake", lake])).code).toBe(0);
    const keyless = await readStudy(yaml(""), { "votes.csv": oneHot });
    expect([keyless.code, keyless.said]).toEqual([2, expect.stringContaining(taken)]);
    expect(await rowsOf("select count(*) as n from ratings")).toEqual([{ n: 8 }]);
  });

  test("if lists of different files take it, by their key", async () => {
    const { code, said } = await readStudy(
      `study: { id: demo }\nfiles: { d: votes.csv, e: late.csv }\ncomparisons:\n${oneHotList("winner_model_a", "left: 1, right: 0")}\n${oneHotList("winner_model_b", "left: 0, right: 1", undefined, "e")}\n`,
      {
        "votes.csv": oneHot.replace("1,1,0", "1,0,0"),
        "late.csv": oneHot.replace("1,1,0", "0,1,0"),
      },
    );
    expect([code, said]).toEqual([
      2,
      expect.stringContaining("late.csv, line 5: comparisons takes this record too"),
    ]);
  });

  test("and lists may take other parts of one record", async () => {
    const { code, said } = await readStudy(
      `study: { id: demo }
files: { r: r.csv }
ratings:
  - { from: r, key: [id], item: first, score: a }
  - { from: r, key: [id], item: second, score: b }
  - { from: r, key: [id], item: first, score: ease, dimension: { value: ease } }
  - { from: r, key: [id], item: first, score: b, rater: { value: bob } }
`,
      { "r.csv": "id,first,second,a,b,ease\n1,A,B,4,3,2\n" },
    );
    expect([code, said]).toEqual([0, ""]);
    expect(await rowsOf("select count(*) as n from ratings")).toEqual([{ n: 4 }]);
  });
});

describe("a mapping says one thing", () => {
  const winner = (values: string) =>
    `comparisons:\n  from: r\n  left: a\n  right: b\n  winner: { column: w, values: { ${values} } }\n`;
  const score = (values: string) =>
    `ratings:\n  - from: r\n    item: a\n    score: { column: b, values: { ${values} } }\n`;

  test.each([
    [
      score("5: [Good], 4: [Good]"),
      /m\.yaml, line 6: ratings\.score\.values has "Good" for 4 and for 5\. Name it for one/,
    ],
    [
      winner("left: [1, 2], right: [2, 1]"),
      /m\.yaml, line 7: comparisons\.winner\.values has 2 for left and for right/,
    ],
    [winner('left: 1, right: "1.0"'), /has "1\.0" for left and for right/],
    [winner("left: x, right: null, tie: [null]"), /has null for right and for tie/],
    [
      "ratings: { from: r, item: a, score: b, rater: { column: w, values: { x: [p, q], y: [q] } } }",
      /rater\.values has "q"/,
    ],
  ])("%s is refused", async (lists, says) => {
    const mapped = parseMapping(
      join(folder, "m.yaml"),
      `study: { id: demo }\nfiles: { r: r.csv }\n${lists}`,
    );
    await expect(mapped).rejects.toThrow(UsageError);
    const [line, ...more] = (await mapped.then(() => "", messageOf)).split("\n");
    expect(line).toMatch(says);
    expect(more).toEqual([]);
  });

  test("and repeats itself in peace", async () => {
    const { code } = await readStudy(
      `study: { id: demo }\nfiles: { r: r.csv }\n${winner('left: [x, x], right: ["", 0], tie: [01x]')}`,
      { "r.csv": "a,b,w\nA,B,x\n" },
    );
    expect(code).toBe(0);
  });
});

describe("an account is no identifier", () => {
  test.each([
    [
      "completed_by",
      /row 1: rater \(completed_by\): the cell is an object or a list\. Name its id: completed_by\.id; of/,
    ],
    ["[completed_by, item]", /rater \(completed_by\): the cell is an object or a list/],
    ["completed_by.id", undefined],
  ])("of rater: %s", async (rater, says) => {
    const one = { item: "A", score: 4, completed_by: { id: 7, email: "x7@example.org" } };
    const { code, said } = await readStudy(
      `study: { id: demo }\nfiles: { r: r.json }\nratings: { from: r, item: item, score: score, rater: ${rater} }`,
      { "r.json": JSON.stringify([one]) },
    );
    if (says === undefined)
      expect(await rowsOf("select rater_id from ratings")).toEqual([{ rater_id: "7" }]);
    else expect([code, said]).toEqual([4, expect.stringMatching(says)]);
    expect(said).not.toContain("@");
  });
});
