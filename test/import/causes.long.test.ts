import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AuditRow } from "../../src/audit/index.js";
import { auditorOfBoards, editedBoard, told } from "../support/audited-board.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";

const { audited } = auditorOfBoards("recount-causes");

const published =
  (...lists: readonly string[]) =>
  (mapping: string) =>
    mapping.replace(
      /- \{ kind: .*\}/,
      lists.map((list) => `- { ${list}, from: board, item: item }`).join("\n  "),
    );

test("wins, shares and an Elo follow when the vote of a model against itself is counted", async () => {
  const rows = await audited("itself/a.yaml", {
    "a.yaml": published(
      "kind: win_loss, fields: { wins: wins, losses: losses, ties: ties, n: battles }",
      "kind: percent_chosen, fields: { value: rate, n: battles }",
      "kind: elo, fields: { value: elo, n: battles }",
    ),
  });
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  const exact = (kind: string) => of(kind).filter(({ verdict }) => verdict === "exact").length;
  const others = (kind: string) => told(of(kind).filter(({ verdict }) => verdict !== "exact"));
  expect([exact("win_loss"), others("win_loss")]).toEqual([21, ["unstated: itself=include"]]);
  expect([exact("percent_chosen"), others("percent_chosen")]).toEqual([
    5,
    ["unstated: itself=include ties=half"],
  ]);
  expect([exact("elo"), others("elo")]).toEqual([5, ["unstated: itself=include k=4"]]);
});

test.each([
  ["by one only", { elm: 28 }],
  ["of another item", { elm: 27, box: 27 }],
])("an n that differs %s is not taken for the vote against itself", async (_what, n) => {
  const rows = await audited("itself/a.yaml", {
    "a.yaml": published("kind: win_loss, fields: { n: battles }"),
    "board.csv": (text) =>
      Object.entries(n).reduce(
        (board, [item, own]) =>
          board.replace(new RegExp(`^(${item},\\d+,\\d+,\\d+),\\d+`, "m"), `$1,${own}`),
        text,
      ),
  });
  expect(told(rows).sort()).toEqual(["exact: ", "unexplained: "]);
});

const lost =
  "1 row of ratings in quarantine: winner does not fit (experiment_id=itself/ratings.quarantine.jsonl)";

const withoutItself = (votes: string) => votes.replace(/.*,elm,elm,.*\n/, "");

describe("beside a vote in quarantine", () => {
  const folder = folderOfTests("recount-quarantine");
  const doubted = async (name: string, edits: Parameters<typeof editedBoard>[1]) => {
    const path = (file: string) => join(folder, name, file);
    mkdirSync(path("."));
    for (const [file, text] of Object.entries(editedBoard("itself", edits)))
      writeFileSync(path(file), text);
    await recountHere(["import", path("a.yaml"), "--lake", path("lake")]);
    await recountHere(["audit", "--lake", path("lake"), "--json", path("audit.json")]);
    const { rows } = JSON.parse(readFileSync(path("audit.json"), "utf8")) as { rows: AuditRow[] };
    return rows.filter(({ verdict }) => verdict !== "exact");
  };

  test("that the published n count what is in quarantine is said, and proves nothing", async () => {
    const rows = await doubted("counted", {
      "a.yaml": published("kind: win_loss, fields: { n: battles }"),
      "board.csv": (text) => text.replace("elm,16,10,3,29", "elm,16,10,3,27"),
      "votes.csv": (votes) => withoutItself(votes).replace(/,a\n/, ",A\n"),
    });
    expect(rows).toHaveLength(2);
    expect(told(rows)).toEqual([
      `inconclusive: the published n count 1 vote more, as many as are in quarantine; ${lost}`,
    ]);
  });

  test("a convention is found beside a vote in quarantine, and proves nothing", async () => {
    const rows = await doubted("beside", {
      "a.yaml": published("kind: elo, fields: { value: elo, n: battles }"),
      "votes.csv": (votes) => `${votes}90,u1,oak,ivy,?\n`,
    });
    expect(told(rows)).toEqual([`inconclusive: itself=include k=4; ${lost}`]);
  });
});

test("a partial match is extended by one convention: a mean win rate with ties as half", async () => {
  const rows = await audited("step/a.yaml");
  expect(told(rows.filter(({ verdict }) => verdict !== "exact"))).toEqual([
    "unstated: ties=half share=opponents",
  ]);
  expect(rows.filter(({ verdict }) => verdict === "unstated")).toHaveLength(17);
});

test("no step is found to a number that is wrong", async () => {
  const rows = await audited("step/a.yaml", {
    "board.csv": (text) => text.replace(/^(m09),.*$/m, "$1,47.11"),
  });
  const wrong = rows.filter(({ item }) => item === "m09");
  expect(told(wrong)).toEqual([
    "unexplained: ties=half share=opponents does not reproduce it either",
  ]);
  expect(rows.filter(({ verdict }) => verdict === "unexplained")).toHaveLength(1);
});

const names = [
  ["ref-A.0", "Human-A"],
  ["eTranslation.737", "eTranslation"],
];

test("means of penalties with the other sign are named; other names are proposed, and unexplained", async () => {
  const rows = await audited("names/a.yaml");
  const other = rows.filter(({ item }) => names.flat().includes(item));
  expect(told(rows.filter((row) => !other.includes(row)))).toEqual(["unstated: sign=minus"]);
  expect(other).toHaveLength(4);
  expect(told(other).sort()).toEqual([
    "unexplained: published eTranslation.737 agrees with the recomputed item eTranslation",
    "unexplained: published ref-A.0 agrees with the recomputed item Human-A",
  ]);
});

test("other names that the mapping states are those of the items", async () => {
  const rows = await audited("names/a.yaml", {
    "a.yaml": (mapping) =>
      mapping.replace(
        "item: system, value",
        "item: { column: system, values: { Human-A: ref-A.0, eTranslation: [eTranslation.737] } }, value",
      ),
  });
  expect(told(rows)).toEqual(["unstated: sign=minus"]);
  expect(rows).toHaveLength(8);
});

test("a board of which no item has its name proposes them all", async () => {
  const rows = await audited("names/a.yaml", {
    "board.csv": (text) =>
      text
        .replaceAll("-", "")
        .replace("refA.0", "HumanA")
        .replace(".737", "")
        .replaceAll(/^([A-Za-z]+),(\d)/gm, (_, name: string, digit) => `${name}_,${digit}`),
  });
  expect(told(rows)).toEqual([
    expect.stringContaining(
      "no published name matches a rated stimulus; published HuaweiTSC_ agrees with the recomputed item HuaweiTSC, published HumanA_ agrees with the recomputed item Human-A",
    ),
  ]);
});

test("an item with the numbers of no other is proposed for none", async () => {
  const rows = await audited("names/a.yaml", {
    "board.csv": (text) => text.replace(/^(ref-A\.0),.*$/m, "$1,-1.234"),
  });
  const unknown = rows.filter(({ item }) => item === "ref-A.0");
  expect(told(unknown)).toEqual(["unexplained: this item has no counted ratings"]);
});
