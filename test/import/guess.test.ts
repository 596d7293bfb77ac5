import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guessMapping } from "../../src/import/index.js";
import { parseMapping, presetNames, type FileSet } from "../../src/import/mapping.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { studyReader } from "../support/study-reader.js";
import { everyNth, isWhole } from "../support/whole.js";
import { presetFiles } from "./presets.js";

const folder = folderOfTests("recount-guess");
const { readStudy, rowsOf } = studyReader("recount-presets");

interface Case {
  readonly file: string;
  readonly text: string;
  /** What the guess says, in this order. */
  readonly says: readonly RegExp[];
}

/** Files of one of the three layouts. */
const odd: readonly Case[] = [
  {
    file: "votes.csv",
    text: "id,who,left,right,winner\n1,ann,A,B,left\n2,ann,B,C,Right\n3,,C,B,both bad\n",
    says: [
      /It reads 3 of 3 records/,
      /The preset evalica fits its columns too.* 2 would be in quarantine/,
      /Not used: "id"/,
      /rater: who/,
      /- Right/,
    ],
  },
  {
    file: "battles.csv",
    text: "uid;system1;system2;preferred;annotator\n1;X;Y;1;a\n2;Y;X;2;a\n",
    says: [
      /It reads 2 of 2/,
      /delimiter: ;/,
      /rater: annotator\n {2}left: system1\n {2}right: system2/,
      /left:\n +- "1"/,
    ],
  },
  {
    file: "names.csv",
    text: "model_a,model_b,winner\nX,Y,X\nY,X,X\n",
    says: [/It reads 2 of 2/, /winner:\n +column: winner/],
  },
  {
    file: "numbered.csv",
    text: "vote_id,model_a,model_b,winner\nv1,X,Y,model_a\nv2,Y,X,model_b\nv3,X,Y,tie\nv4,X,Y,model_a\n",
    says: [/It reads 4 of 4/, /winner:\n +column: winner/, /^(?![^]*instead of)/],
  },
  {
    file: "rejected.csv",
    text: "model_chosen,model_rejected,user\nA,B,r1\nB,A,r2\n",
    says: [/It reads 2 of 2/, /left: model_chosen\n.*\n +winner:\n +column: model_chosen/],
  },
  {
    file: "long.csv",
    text: "worker_id,condition,file,rating,trial\nw1,c1,f1.wav,4,1\nw1,c2,f2.wav,5,2\n",
    says: [
      /It reads 2 of 2/,
      /item: it may be "file" instead of "condition"/,
      /Not used: "file" and "trial"/,
      /rater: worker_id/,
    ],
  },
  {
    file: "asked.csv",
    text: "system,subject,mos_noise,mos_loud\nA,1,3,4\n",
    says: [
      /It reads 2 of 2/,
      /"mos_noise" and "mos_loud" an item, a rater or a dimension/,
      /score: mos_\*\n +as: dimension/,
    ],
  },
  {
    file: "other.csv",
    text: presetFiles["qualtrics-matrix"]!.text.replaceAll("Q1_", "Q5_"),
    says: [/The preset qualtrics-matrix fits .* 4 of 4.*wide are a guess/, /score: Q5_\*/],
  },
  {
    file: "ids.csv",
    text: `item,annotation_id,created_at,lead_time,tstamp,rank_no,rating,by_user\n${[1, 2, 3, 4, 5, 6].map((i) => `a${i % 2},${i},2023-08-28T03:18:13Z,${i}.5,16${i}0000000,${i},${i % 3},u${i}`).join("\n")}\n`,
    says: [/It reads 6 of 6/, /score: rating\n/],
  },
  {
    file: "cells.csv",
    text: 'item,who,marks\na,ann,"[{""rating"": 3}]"\nb,ann,"[{""rating"": 4}]"\n',
    says: [/score: marks\.0\.rating/],
  },
  {
    file: "objects.jsonl",
    text: '{"what":{"system":"a"},"by":{"user":{"id":7}},"answer":{"score":3}}\n{"what":{"system":"b"},"by":{"user":{"id":7}},"answer":{"score":4}}\n',
    says: [/item: what\.system/, /score: answer\.score/],
  },
  {
    file: "levels.csv",
    text: "observer,type_a,level_a,type_b,level_b,selected\no1,blur,1,noise,4,A\no1,noise,4,blur,2,B\no2,blur,1,noise,4,A\n",
    says: [/It reads 3 of 3/, /left:\n +- type_a\n +- level_a/],
  },
  {
    file: "raters.csv",
    text: "stimulus,listener1,listener2\na,5,4\nb,3,2\n",
    says: [/It reads 4 of 4/, /item: stimulus/, /score: listener\*\n +as: rater/],
  },
  {
    file: "twice.csv",
    text: "id,rater,item,score\n1,ann,a,3\n2,ann,b,4\n3,bob,a,2\n3,bob,a,2\n4,bob,b,2\n5,cat,a,1\n",
    says: [/preset long fits.* 5 of 6 records\. 1 would be in quarantine.*an earlier row/],
  },
  {
    file: "draws.csv",
    text: "id,model_a,model_b,winner\n1,a,b,A\n2,b,a,b\n3,a,b,no preference\n4,a,b,TIE\n",
    says: [/It reads 4 of 4/, /column: winner\n.*\n +tie:/],
  },
  {
    file: "tab.txt",
    text: "item\tuser\tscore\na\tu\t4\n",
    says: [/It reads 1 of 1/, /format: csv/],
  },
  {
    file: "batch.csv",
    text: "AssignmentId,WorkerId,Input.model_a,Input.model_b,Answer.choice,Approve\na1,w1,X,Y,A is better,x\na2,w2,X,Z,B is much better,x\na3,w1,Z,Y,About the same,x\n",
    says: [
      /It reads 3 of 3/,
      /column: Answer\.choice/,
      /left:\n +- A is better/,
      /right:\n +- B is much/,
    ],
  },
  {
    file: "form.csv",
    text: "Timestamp,Email Address,How is A?,How is B?\n2024/01/03,a@x,4,5\n2024/01/04,b@x,3,2\n2024/01/05,c@x,5,3\n2024/01/06,d@x,1,4\n",
    says: [/It reads 8 of 8/, /rater: Email Address/, /score: How \*/],
  },
];

/** Files of none of them, and why. */
const refused: readonly (readonly [string, string, RegExp])[] = [
  [
    "counts.csv",
    "image,c1,c2,c3,MOS\na,1,2,9,2.7\nb,0,6,6,2.5\n",
    /each "image" comes once: these are published/,
  ],
  [
    "stars.csv",
    "item,1,2,3\na,1,2,9\nb,0,6,6\n",
    /the first row names "1", "2" and "3".*answers that the columns count/,
  ],
  [
    "votes7.csv",
    "clip,vote_1,vote_2,MOS\na,4,5,4.5\nb,3,2,2.5\n",
    /no column says who rated, and each "clip"/,
  ],
  ["wins.csv", "model,model_a,model_b\na,0,7\nb,3,0\n", /no column says who rated/],
  [
    "matrix.csv",
    "model,GPT,Claude\nGPT,0,7\nClaude,3,0\n",
    /"GPT" and "Claude", which have numbers, follow no/,
  ],
  ["board.csv", "Model,Arena Elo\na,1151.2\nb,1078.4\n", /no column has scores|published numbers/],
  [
    "board2.csv",
    "Model,Arena Score,Votes\na,1151,10\nb,1078,12\n",
    /each "Model" comes once: these are published/,
  ],
  [
    "board3.csv",
    "system,kind,score,n\na,x,3.1,9\na,y,3,9\nb,x,2,9\nb,y,2.5,9\n",
    /there is "n": these are published/,
  ],
  [
    "two.csv",
    "who,noise_1,noise_2,loud_1,loud_2\nann,1,2,3,4\n",
    /several patterns of columns, as "noise_\*"/,
  ],
  [
    "choice.csv",
    "user,item,bad.1,bad.2\nann,a,1,\nbob,a,,2\n",
    /one cell a record, as marks of a choice/,
  ],
  [
    "crosses.csv",
    "left,right,left_better,right_better,same\nA,B,x,,\nB,C,,X,\nA,C,,,yes\n",
    /"left_better" and "right_better" say who won: .*or marks a record/,
  ],
  [
    "games.csv",
    "model_1,model_2,g1_winner,g2_winner\na,b,model_1,model_2\n",
    /"g1_winner" and "g2_winner" say who won/,
  ],
  [
    "heads.csv",
    "Tags,speech,,\nName,ref.wav,a.wav,b.wav\nP1,99,82,59\n",
    /the first row names "column 3" and/,
  ],
  ["words.csv", "item,score,rater\na,Good,ann\nb,Bad,ann\n", /no column has scores/],
  ["pairs.json", '[["a","b"],["b","a"]]', /its records are lists or single values/],
  [
    "games.jsonl",
    '{"uid":"0","model":"m","judge":"j","games":[{"score":"A>B"}, {"score":"B>A"}]}\n',
    /lists in "games"/,
  ],
  [
    "tasks.json",
    presetFiles["label-studio-rating"]!.text.replace('"item"', '"thing"'),
    /no column has a name that says what was rated/,
  ],
  ["amount.csv", "item,amount\na,1\na,2\nb,3\nb,4\nb,5\n", /no column has scores/],
  [
    "commas.csv",
    "item;rater;score\na;r1;4,200\nb;r1;1,350\n",
    /It reads 0 of 2.*separates thousands/,
  ],
  ["one.csv", "score\n1\n", /no column has a name that says what was rated/],
  ["head.csv", "item,score\n", /no column has scores/],
];

const cases: readonly Case[] = [
  ...Object.entries(presetFiles).map(([name, { file, text }]) => ({
    file,
    text,
    says: [new RegExp(`The preset ${name} fits its columns\\. It reads (\\d) of \\1 records?\\.`)],
  })),
  ...odd,
];

describe("a guess", () => {
  test("has a case for each preset", () => {
    expect([...Object.keys(presetFiles), "arena-human-preference"].toSorted()).toEqual(
      presetNames(),
    );
  });

  test.each(everyNth(cases, 16, 10))(
    "says of $file which mapping fits, and what is unsure",
    async ({ file, text, says }) => {
      writeFileSync(join(folder, file), text);
      let { text: rest } = await guessMapping(join(folder, file));
      for (const one of says) {
        expect(rest).toMatch(one);
        rest = rest.slice(rest.search(one));
      }
    },
  );

  test.each(everyNth(refused, 10, 1))(
    "is refused for %s, with its first records",
    async (file, text, why) => {
      writeFileSync(join(folder, file), text);
      const { code, stdout, stderr } = await recountHere(["import", "--guess", join(folder, file)]);
      expect([code, stderr]).toEqual([4, expect.stringMatching(why)]);
      expect(stdout).toMatch(
        /^# .*: no mapping can be guessed: .*\n(# The first records:\n(# {3}.*\n)+)?study:.*\n.*\nfiles:[^]*sql: \|[^]*select line, /,
      );
    },
  );

  /** Presets of files without any identifier or rater. */
  const anonymous = ["evalica"];

  test.each(everyNth(Object.entries(presetFiles), 12, 4))(
    "preset %s takes a record once that comes twice",
    async (preset, { file, text }) => {
      const { files } = await parseMapping("m.yaml", `{ preset: ${preset}, study: { id: once } }`);
      const [[from, { header_rows = 1 }]] = Object.entries(files) as [[string, FileSet]];
      const lines = text.trimEnd().split("\n");
      const head = /\.jsonl?$/.test(file) ? 0 : header_rows;
      const twice = file.endsWith(".json")
        ? JSON.stringify([...(JSON.parse(text) as object[]), ...(JSON.parse(text) as object[])])
        : [...lines, ...lines.slice(head)].join("\n");
      const counted = async (own: string) => {
        const mapping = { preset, study: { id: "once" }, files: { [from]: file } };
        const { code } = await readStudy(JSON.stringify(mapping), { [file]: own });
        const [row] = await rowsOf("select count(*) as n from ratings");
        return { code, n: Number(row?.n) };
      };
      const { code, n } = await counted(text);
      expect([code, n]).toEqual([0, expect.any(Number)]);
      const isAnonymous = anonymous.includes(preset);
      expect(await counted(twice)).toEqual(isAnonymous ? { code: 0, n: 2 * n } : { code: 2, n });
    },
  );

  test.runIf(isWhole)("is printed as a mapping that imports", async () => {
    const battles = join(folder, "battles.parquet");
    const warehouse = await openWarehouse({ sources: {} });
    await warehouse.all(
      `copy (select 'v' || i as id, 'A' as model_a, 'B' as model_b, case i when 0 then 'both_bad' else 'model_a' end as winner, 's' as evaluation_session_id from range(3) as t (i)) to '${battles}'`,
    );
    warehouse.close();
    const { code, stdout } = await recountHere(["import", "--guess", battles]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("The preset arena-human-preference fits its columns."),
    ]);
    writeFileSync(join(folder, "m.yaml"), stdout);
    const imported = await recountHere([
      "import",
      join(folder, "m.yaml"),
      "--lake",
      join(folder, "lake"),
    ]);
    expect([imported.code, imported.stderr]).toEqual([0, ""]);
  });

  test.each([
    [["--guess", "none.csv"], "none.csv cannot be read (ENOENT)"],
    [["--guess", "empty.csv"], "is empty: it has no header"],
    [["--guess", "sheet.xlsx"], "is a spreadsheet. Save each sheet as CSV"],
    [["data.csv"], "data.csv is a data file, not a mapping. recount import --guess"],
    [[], "Name a mapping, for example recount import mapping.yaml, or a file with --guess."],
  ])("of %j ends with one line", async (args, says) => {
    for (const name of ["empty.csv", "sheet.xlsx", "data.csv"])
      writeFileSync(join(folder, name), "");
    const { code, stderr } = await recountHere([
      "import",
      ...args.map((one) => (one.startsWith("--") ? one : join(folder, one))),
    ]);
    expect([code, stderr]).toEqual([4, expect.stringContaining(says)]);
  });
});
