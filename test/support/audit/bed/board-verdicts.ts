import { compareWith } from "../../../../src/audit/compare/compare.js";
import { findCause } from "../../../../src/audit/explain/find-cause.js";
import { findingOf } from "../../../../src/audit/judge/finding.js";
import { judgeAll } from "../../../../src/audit/judge/rows.js";
import { isPassing } from "../../../../src/audit/judge/verdict.js";
import { noDoubts } from "../../../../src/audit/read/doubts.js";
import { isApart } from "../../../../src/audit/result.js";
import { describeFindings } from "../../../../src/audit/tell/describe.js";
import { byText, groupsOf } from "../../../../src/platform/index.js";
import { auditSettings } from "../settings.js";
import { madeUpGroup, own } from "../synthetic-ratings.js";
import { scoresOf } from "./bed.js";
import type { Board } from "./boards.js";
import { mapped, type Ratings } from "./plain.js";

/** `differs`: no cause is named, and the items that are listed do differ from the kind's definition, no others. */
type BoardOutcome = "right" | "silent" | "differs" | "false";

export interface TriedBoard extends Pick<
  Board,
  "seed" | "fault" | "kind" | "isKnown" | "isGlobal" | "decimals"
> {
  readonly items: number;
  readonly votes: number;
  readonly range: number;
  readonly outcome: BoardOutcome;
  readonly says: string;
}

const truncated = (v: number, decimals: number): number =>
  Math.trunc(v * 10 ** decimals) / 10 ** decimals;

export async function triedBoard(board: Board): Promise<TriedBoard> {
  const { kind, study, decimals, evaluator, published, exact, base } = board;
  const { seed, fault, isKnown, isGlobal } = board;
  const values = mapped(published, (value) => ({ value }));
  const scores = scoresOf(values, decimals, board.isTruncated ? truncated : undefined);
  const group = madeUpGroup(kind, scores, study.items);
  const tableOf = () => Promise.resolve(evaluator.table(kind, own));
  const { target, numbers } = await compareWith({ ...auditSettings, tableOf }, group, kind);
  const found = numbers.some(isApart)
    ? findCause([{ target, numbers }], evaluator, auditSettings)
    : null;
  const rows = judgeAll(found?.numbers ?? numbers, [], noDoubts, []);
  const finding = found && findingOf(found);
  const explanation = finding?.explanation ?? null;
  const views = finding === null ? [] : describeFindings({ findings: [finding], rows });
  const isNamed = views.some((view) => view.named.length > 0);
  const wrong = rows.filter(({ verdict }) => isNamed && verdict === "unexplained");
  const named = wrong.map(({ item }) => item);
  const model: Ratings = new Map(
    rows.map((row) => [row.item, row.under_explanation ?? row.recomputed ?? NaN]),
  );
  const last = 10 ** -decimals;
  /** Whether numbers are apart by no more than `room`, at any level where zero is a convention. */
  const areEqual = (
    one: Ratings,
    other: Ratings,
    room: number,
    except: readonly string[],
  ): boolean => {
    const off = [...one].flatMap(([item, v]) =>
      except.includes(item) ? [] : v - other.get(item)!,
    );
    const [low, high] = [Math.min(...off), Math.max(...off)];
    return isGlobal ? high - low <= 2 * room : Math.max(-low, high) <= room;
  };
  const changed = [...published].flatMap(([item, v]) => (v === exact.get(item) ? [] : item));
  const shown = new Map(scores.map(({ stimulus, value }) => [String(stimulus), Number(value)]));
  const names = explanation === null ? [] : [explanation.name, ...explanation.rivals];
  const beyondUnit = names.map((name) => name.split(" ").filter((word) => word !== board.unit));
  const isCause =
    (isKnown && beyondUnit.some((words) => words.join(" ") === board.cause)) ||
    areEqual(model, exact, 0.01 * last, []) ||
    (beyondUnit.flat().length === 0 && areEqual(base, shown, 0.501 * last, changed));
  const isSaid =
    named.length > 0 || explanation !== null || rows.every((row) => isPassing(row.verdict));
  const areRight =
    (named.length === changed.length && named.every((item) => changed.includes(item))) ||
    (named.length === 0 && areEqual(base, shown, 0.501 * last, []));
  // Where its level is no guess, each number is compared by itself; else the others must be untouched.
  const isOwnUnit = [...model].every(([item, v]) => Math.abs(v - base.get(item)!) <= 0.01 * last);
  const doDiffer =
    beyondUnit.flat().length === 0 &&
    named.length > 0 &&
    named.every((item) => Math.abs(base.get(item)! - shown.get(item)!) > 0.499 * last) &&
    (!isGlobal || isOwnUnit || areEqual(base, exact, 0.01 * last, named));
  const said = areRight && isCause ? "right" : doDiffer ? "differs" : "false";
  const says = `${names.join(" | ")}; ${named.join()} for ${board.unit} ${board.cause} ${changed.slice(0, 9).join()}`;
  return {
    ...{ seed, fault, kind, isKnown, isGlobal, decimals, says, outcome: isSaid ? said : "silent" },
    items: published.size,
    votes: study.counted.length / (study.family === "pairwise" ? 2 : 1),
    range: Math.round(board.range),
  };
}

const ranges = [1, 20, 100, 1000];
const sizes = [4, 6, 10, 20];

export function boardTables(all: readonly TriedBoard[]): string {
  const classOf = ({ isGlobal, isKnown }: TriedBoard): string =>
    `${isGlobal ? "global" : "local"} kinds, rule ${isKnown ? "known" : "unknown"}`;
  const from = (ends: readonly number[], value: number): number =>
    ends.findLast((end) => end <= value) ?? 0;
  const raised = all.filter((one) => one.isGlobal && one.fault === "one raised");
  const grouped = [
    groupsOf(all, classOf),
    groupsOf(all, (one) => `${classOf(one)}: ${one.fault}`),
    groupsOf(
      raised,
      (one) => `one raised, range ${from(ranges, one.range)}+, items ${from(sizes, one.items)}+`,
    ),
  ];
  const rows = grouped.flatMap((groups) =>
    [...groups]
      .sort(([a], [b]) => byText(a, b))
      .map(([name, own]) => {
        const count = (outcome: BoardOutcome): number =>
          own.filter((one) => one.outcome === outcome).length;
        const shares = (["right", "silent", "differs"] as const).map(
          (outcome) => `${((100 * count(outcome)) / own.length).toFixed(1)} %`,
        );
        return `| ${[name, own.length, ...shares, count("false")].join(" | ")} |`;
      }),
  );
  return [
    "| Boards | Tried | Right | Silent | Differs | False |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
