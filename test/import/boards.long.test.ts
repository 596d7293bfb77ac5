import { expect, test } from "vitest";
import { groupsOf } from "../../src/platform/index.js";
import { auditorOfBoards, editedBoard, told } from "../support/audited-board.js";

const { audited } = auditorOfBoards("recount-boards");

const numbersAs =
  (shown: (value: number) => string) =>
  (board: string): string =>
    board.replaceAll(/,(-?\d[\d.]*)/g, (_, number: string) => `,${shown(Number(number))}`);
const ofKind =
  (kind: string, more = "") =>
  (mapping: string): string =>
    mapping.replace("kind: bradley_terry", `kind: ${kind}${more}`);

const anchored = "unit=elo";

test("Elo of a board that holds one item at 1114 is a convention of each kind of Elo", async () => {
  const eachKind = (mapping: string) =>
    mapping.replace(/ {2}- \{ kind: bradley_terry.*/, (line) =>
      ["bradley_terry", "elo", "bayesian_elo"].map((kind) => ofKind(kind)(line)).join("\n"),
    );
  const rows = await audited("anchor/a.yaml", { "a.yaml": eachKind });
  expect(new Set(rows.map(({ kind }) => kind)).size).toBe(3);
  expect(told(rows)).toEqual(["unstated: fit=likelihood", `unstated: ${anchored}`]);
});

test("an anchor that the options state explains the numbers", async () => {
  const options = ", options: { anchor_model: elm, anchor_rating: 1114 }";
  const rows = await audited("anchor/a.yaml", { "a.yaml": ofKind("bradley_terry", options) });
  expect(told(rows).map((text) => text.split(":")[0])).toEqual(["explained"]);
});

test("ratings without decimals name the item that is held", async () => {
  const rows = await audited("anchor/a.yaml", {
    "board.csv": numbersAs((value) => value.toFixed(0)),
  });
  expect(rows.every(({ verdict }) => verdict === "unstated")).toBe(true);
  expect(told(rows).join()).toContain(anchored);
});

test("a scale that is not Elo's, with an item held at 1114, is no convention", async () => {
  const rows = await audited("anchor/a.yaml", {
    "board.csv": numbersAs((value) => String(1114 + 1.05 * (value - 1114))),
  });
  expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(["unexplained"]));
});

test("votes of weight 3 explain a board that leaves its baseline out", async () => {
  const rows = await audited("weights/w.yaml");
  expect(rows.map(({ item }) => item)).toEqual(["m1", "m2", "m3"]);
  expect(told(rows)).toEqual(["unstated: ties=half"]);
});

test("a board that counts each vote once, whatever its weight, is found to", async () => {
  const rows = await audited("weights/w.yaml", {
    "board.csv": () => "model,score\nm1,70.83\nm2,39.58\nm3,24.79\n",
  });
  expect(told(rows)).toEqual(["unstated: weights=ignored ties=half"]);
});

const widths = (rows: Awaited<ReturnType<typeof audited>>) =>
  rows
    .filter(({ field }) => field === "half_width")
    .map(({ kind, verdict }) => `${kind} ${verdict}`);

test("half widths are compared with a kind, without one, and alone", async () => {
  const normal = await audited("halfwidth/ci.yaml");
  expect(new Set(widths(normal))).toEqual(new Set(["stats unstated", "mean unstated"]));
  expect(told(normal).join()).toContain("interval=normal");
  expect(told(normal).join()).toContain("kind=mean field=half_width");
  const named = (mapping: string) => mapping.replace(/ {2}- \{ from: .*\n/, "");
  const byT = await audited("halfwidth/ci_t.yaml", { "ci_t.yaml": named });
  expect(new Set(widths(byT))).toEqual(new Set(["stats exact"]));
  const alone = await audited("halfwidth/only-ci.yaml");
  expect(widths(alone)).toEqual(Array.from({ length: 3 }, () => "stats unstated"));
  expect(told(alone).join()).toContain("interval=normal");
});

test("a half width that is stated as normal is explained, and one 5 % larger is unexplained", async () => {
  const options = (text: string) =>
    text.replace("fields: { ci: ci }", "fields: { ci: ci }, options: { interval: normal }");
  const rows = await audited("halfwidth/only-ci.yaml", {
    "only-ci.yaml": options,
    "board.csv": (text) => text.replace("0.999", "1.049"),
  });
  expect(rows.map(({ item, verdict }) => `${item} ${verdict}`)).not.toContain("b explained");
  const right = await audited("halfwidth/only-ci.yaml", { "only-ci.yaml": options });
  expect(new Set(right.map(({ verdict }) => verdict))).toEqual(new Set(["explained"]));
});

const votes = editedBoard("anchor", {})["votes.csv"]!.trim().split(/\r?\n/).slice(1);

const withoutKind = (mapping: string) => mapping.replace("kind: bradley_terry, ", "");

/** Of the items that vote in `anchor`: name, share in percent, wins, losses and ties. */
function countsBoard(by: Readonly<Record<string, number>> = {}): string {
  const lines = ["ash", "box", "elm", "fir", "oak", "yew"].map((item) => {
    const [wins, losses, ties] = [0, 1, 2].map(
      (result) =>
        votes.filter((vote) => {
          const [a = "", b = "", winner = ""] = vote.split(",");
          const winners = [winner === "model_a" ? a : b, winner === "model_a" ? b : a, ""];
          return winner.startsWith("tie")
            ? result === 2 && [a, b].includes(item)
            : winners[result] === item;
        }).length,
    ) as [number, number, number];
    const share = (100 * wins) / (wins + losses + ties) + (by[item] ?? 0);
    return `${item},${share.toFixed(1)} %,${wins},${losses},${ties}`;
  });
  return `model,share,won,lost,tied\n${lines.join("\n")}\n`;
}

test.each([
  ["stated", "kind: percent_chosen, ", "exact"],
  ["not stated", "", "unstated"],
] as const)(
  "wins, losses and ties follow beside a share whose kind is %s",
  async (_, kind, follows) => {
    const mapping = (text: string) =>
      text
        .replace("kind: bradley_terry, ", kind)
        .replace("value: rating", "fields: { value: share, wins: won, losses: lost, ties: tied }");
    const of = async (by?: Readonly<Record<string, number>>) => {
      const rows = await audited("anchor/a.yaml", {
        "a.yaml": mapping,
        "board.csv": () => countsBoard(by),
      });
      return groupsOf(rows, ({ verdict }) => verdict);
    };
    expect([...(await of()).keys()]).toEqual([follows]);
    const raised = await of({ yew: 9 });
    expect(raised.get("unexplained")?.map(({ item, field }) => `${item} ${field}`)).toEqual([
      "yew value",
    ]);
    expect(raised.get(follows)).toHaveLength(23);
  },
);

test("right counts beside values of no metric name none", async () => {
  const values = [3, 41, 7, 12, 29, 55];
  const rows = await audited("anchor/a.yaml", {
    "a.yaml": (text) =>
      withoutKind(text).replace("value: rating", "fields: { value: rating, n: votes }"),
    "board.csv": () =>
      countsBoard()
        .replace("model,share,won,lost,tied", "model,rating,votes")
        .replaceAll(/,[\d.]+ %,(\d+),(\d+),(\d+)/g, (_, ...counts: string[]) => {
          const n = counts.slice(0, 3).reduce((sum, count) => sum + Number(count), 0);
          return `,${values.pop()},${n}`;
        }),
  });
  const reason = "the record names no metric, and no kind gives its numbers";
  expect(new Set(rows.map(({ kind, field, verdict }) => `${kind}/${field}/${verdict}`))).toEqual(
    new Set(["/value/unexplained", "/n/not_auditable"]),
  );
  expect(told(rows)).toEqual([`unexplained: ${reason}`, `not_auditable: ${reason}`]);
});

test("too few numbers to tell a unit are no wrong ones, whether a kind is stated or not", async () => {
  const few = { "board.csv": numbersAs((value) => ((value + 886) / 40).toFixed(0)) };
  const stated = await audited("anchor/a.yaml", few);
  expect(new Set(stated.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
  expect(told(await audited("anchor/a.yaml", { ...few, "a.yaml": withoutKind }))).toEqual([
    "not_auditable: the record names no metric, and too few numbers can be compared to tell which",
  ]);
});
