import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { textOf } from "../support/report-fixture.js";
import { read } from "../support/root.js";

const folder = folderOfTests("recount-order");
const docs = read("docs/reference/statistics.md");

type Files = Readonly<Record<string, string>>;

const scores = (of: Readonly<Record<string, readonly number[]>>): string =>
  [
    "rater,segment,item,score",
    ...Object.entries(of).flatMap(([item, own]) =>
      own.map((score, i) => `r${i % 4},s${i >> 2},${item},${score}`),
    ),
  ].join("\n");
const errors = scores({
  Alpha: [0, 1, 1, 0, 2, 1, 1, 2],
  Beta: [2, 2, 3, 1, 2, 3, 2, 3],
  Gamma: [3, 3, 4, 3, 2, 3, 4, 3],
});
const ranked = "item,mean,rank\nAlpha,1.00,1\nBeta,2.25,2\nGamma,3.125,3";
const scored = ({ direction = "", published = false } = {}): string => `
study: { id: s }
files: { d: d.csv, b: b.csv }
ratings: { from: d, rater: rater, slate: [rater, segment], item: item, score: score ${direction} }
${published ? "published: [{ kind: mean, from: b, item: item, fields: { value: mean, rank: rank } }]" : ""}`;

/** Votes of five raters: how many the first won and lost, by pair. */
const votes = (pairs: readonly (readonly [string, string, number, number])[]): string =>
  [
    "id,rater,left,right,won",
    ...pairs.flatMap(([left, right, won, lost], p) =>
      Array.from(
        { length: won + lost },
        (_, i) => `${p}-${i},r${i % 5},${left},${right},${i < won ? "left" : "right"}`,
      ),
    ),
  ].join("\n");
const compared = (published = ""): string => `
study: { id: s }
files: { d: d.csv, b: b.csv }
comparisons: { from: d, key: [id], rater: rater, left: left, right: right, winner: { column: won, values: { left: left, right: right } } }
${published}`;
const twoGroups = votes([
  ["A", "B", 12, 8],
  ["C", "D", 15, 5],
]);

interface Case {
  /** As the docs have it, with the study's own names and numbers. */
  readonly says: readonly string[];
  readonly documented: string;
  readonly mapping: string;
  readonly files?: Files;
  readonly pipeline?: string;
  readonly never?: RegExp;
  readonly audit?: readonly [number, string];
}

const cases: readonly Case[] = [
  {
    documented: "Lower is better, as the published ranks imply.",
    mapping: scored({ published: true }),
    says: [
      "Alpha is first of 3 by mean score, with probability above 0.99. Lower is better, as the published ranks imply. Leaving out",
      "would put Beta first.",
    ],
    audit: [0, "s: Lower is better, as the published ranks imply."],
  },
  {
    documented: "The first of these",
    // A board of minus the penalties: the ratings' own scale is that of the penalties.
    mapping: scored({ published: true }),
    files: { "b.csv": "item,mean,rank\nAlpha,-1.00,1\nBeta,-2.25,2\nGamma,-3.125,3" },
    says: ["Lower is better, as the published ranks imply."],
    audit: [2, "3 exact, 3 unstated"],
  },
  {
    documented: "Which end is better is not stated.",
    mapping: scored(),
    says: [
      "direction not stated – –",
      "Which end is better is not stated. To say which end is better, write direction: lower or direction: higher under the list",
    ],
    never: /is first of|would put|\bwon\b/,
  },
  {
    documented: "Lower is better, as stated.",
    mapping: scored({ direction: ", direction: lower" }),
    says: ["Lower is better, as stated."],
  },
  {
    documented: "as the pipeline file states",
    mapping: scored(),
    pipeline: "conventions: { direction: lower }",
    says: ["Lower is better, as the pipeline file states."],
  },
  {
    documented: "A is first of 3 by mean score, with probability 0.84.",
    mapping: scored({ direction: ", direction: higher", published: true }),
    says: ["Gamma is first of 3 by mean score, with probability 0."],
    audit: [1, "Alpha: 1, not 3; Gamma: 3, not 1"],
  },
  {
    documented: "The votes do not compare A, B with C, D.",
    mapping: compared(),
    files: { "d.csv": twoGroups },
    says: ["not connected: 2 groups – –", "The votes do not compare A, B with C, D."],
  },
  {
    documented: "One ranking is published. The votes do not compare A, B with C, D.",
    mapping: compared("published: [{ kind: percent_chosen, from: b, item: item, value: share }]"),
    files: { "d.csv": twoGroups, "b.csv": "item,share\nA,60\nB,40\nC,75\nD,25" },
    says: ["s: One ranking is published. The votes do not compare A, B with C, D."],
    audit: [0, "s: One ranking is published. The votes do not compare A, B with C, D."],
  },
  {
    documented: "A won every vote.",
    mapping: compared(),
    files: {
      "d.csv": votes([
        ["A", "B", 9, 0],
        ["A", "C", 9, 0],
        ["B", "C", 6, 3],
      ]),
    },
    says: ["no finite ranking", "A won every vote."],
    never: /is first of/,
  },
];

test.each(cases)("$documented is said under its condition", async (one) => {
  expect(docs).toContain(one.documented);
  const at = (name: string) => join(folder, name);
  const files = { "d.csv": errors, "b.csv": ranked, "m.yaml": one.mapping, ...one.files };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  const lake = ["--lake", at(`lake-${cases.indexOf(one)}`)];
  const imported = await recountHere(["import", at("m.yaml"), ...lake]);
  expect(imported.stderr + String(imported.code)).toMatch(/0$/);
  writeFileSync(at("p.yaml"), one.pipeline ?? "{}");
  await recountHere(["report", ...lake, "--pipeline", at("p.yaml"), "-o", at("r.html")]);
  const page = readFileSync(at("r.html"), "utf8");
  const text = textOf(page.slice(page.indexOf("<main")));
  for (const sentence of one.says) expect(text).toContain(sentence);
  if (one.never) expect(text).not.toMatch(one.never);
  if (one.audit === undefined) return;
  const audit = await recountHere(["audit", ...lake, "-v"]);
  expect(audit.code).toBe(one.audit[0]);
  expect(audit.stdout).toContain(one.audit[1]);
});
