/** The verdict about an audit in words. */
import { numbersIn, ordinal, scaleAmong, type AuditReport, type AuditRow } from "../audit/index.js";
import { isKind, isOfInterval, type Kind } from "../metrics/index.js";
import { counted, joinParts, sumOf, thousands } from "../platform/index.js";
import { acceptanceOf } from "./causes.js";
import {
  isFalse,
  judgedNumbers,
  numberRows,
  rankChange,
  ownTexts,
  weightsOf,
  type JudgedNumber,
} from "./judged.js";
import { titleOfKind, verdictCounts } from "./numbers.js";
import { experimentName } from "./results.js";
import { toneOf } from "./tones.js";

/** A sentence with names, which a page sets in bold. */
export type NamedText = readonly (string | { readonly name: string })[];

type Flags = Pick<AuditReport["correctness"], "compared" | "equal"> &
  Partial<AuditReport["correctness"]>;

export function flagSentences({ compared, equal, inconclusive = [] }: Flags): string {
  const wrong = compared - equal;
  const open = sumOf(inconclusive.map(({ ratings }) => ratings));
  return sentences(
    said(wrong, "correctness flag", "contradicts the data", "contradict the data"),
    said(open, "correctness flag", "needs a decision", "need a decision"),
  );
}

function partSentence({ experiment_id, kind, others }: NonNullable<AuditReport["part"]>): string {
  const about = [kind, experiment_id].filter((one) => one !== null).join(" of ");
  const count = sumOf(Object.values(others));
  if (count === 0) return `This covers ${about}; no other number is published.`;
  const are = count === 1 ? "number is" : "numbers are";
  return (
    `This covers ${about}; ${thousands(count)} other published ${are} left out ` +
    `(${verdictCounts(others)}).`
  );
}

const sentences = (...all: readonly (string | false | undefined)[]): string => joinParts(all, " ");

const said = (count: number, what: string, one: string, several: string): string | false =>
  count > 0 && `${counted(count, what)} ${count === 1 ? one : several}.`;

function restOf({ rows, unread, unread_fields }: AuditReport): string {
  const notes = rows.filter(({ item }) => item === "");
  const isOption = ({ field }: AuditRow): boolean => field.startsWith("options.");
  const results = notes.filter(({ field }) => field === "");
  const fields = notes.filter((row) => row.field !== "" && !isOption(row));
  const ignored = unread_fields.filter((one) => one.ignored !== null);
  const lists = unread.filter(({ sources }) => sources === undefined);
  return sentences(
    said(numbersIn(fields), "more number", "was not read", "were not read"),
    said(results.length, "result", "was not compared", "were not compared"),
    said(notes.filter(isOption).length, "stated option", "needs a decision", "need a decision"),
    said(
      numbersIn(ignored),
      "number",
      "is left out by the pipeline file",
      "are left out by the pipeline file",
    ),
    said(lists.length, "published list", "was not read", "were not read"),
  );
}

/** The false numbers among others: main ones first, then what is farthest off on its scale. */
export function falseNumbers(numbers: readonly JudgedNumber[]): JudgedNumber[] {
  const weight = weightsOf(numbers);
  return numbers
    .filter(isFalse)
    .toSorted((a, b) => Number(b.isMain) - Number(a.isMain) || weight(b) - weight(a));
}

const nouns: Partial<Record<Kind, string>> = {
  elo: "rating",
  bayesian_elo: "rating",
  bradley_terry: "rating",
  mean: "mean score",
  stats: "mean score",
  percent_chosen: "percentage",
  percent_approved: "percentage",
};

const unitNames: Readonly<Record<string, string>> = {
  rating: " point",
  percentage: " percentage point",
};

const nounOf = ({ row: { kind, field }, isMain }: JudgedNumber): string =>
  (isMain && isKind(kind) && nouns[kind]) || (field === "rank" ? field : "number");

/** "9 points", "0.585": with published decimals, or three digits. */
function amountOf(number: JudgedNumber): string {
  const size = Math.abs(number.difference ?? 0);
  const fixed = Number(size.toFixed(number.decimals ?? 0));
  const isRounded = number.decimals !== null && fixed > 0;
  const amount = String(isRounded ? fixed : Number(size.toPrecision(3)));
  const unit = unitNames[nounOf(number)] ?? "";
  return `${amount}${unit}${unit === "" || amount === "1" ? "" : "s"}`;
}

const namedItems = (items: readonly string[]): NamedText =>
  items.flatMap((name, i) => {
    const between = i === 0 ? "" : i === items.length - 1 ? " and " : ", ";
    return [between, { name }];
  });

/** Whether it differs in its published decimals; others only lack a unit. */
const isFar = ({ difference, decimals }: JudgedNumber): boolean =>
  difference === null || Number(difference.toFixed(decimals ?? 15)) !== 0;

interface Wrong {
  readonly report: AuditReport;
  readonly numbers: readonly JudgedNumber[];
  readonly wrong: readonly [JudgedNumber, ...JudgedNumber[]];
  readonly items: readonly string[];
  /** " in Noise suppression": the one of several experiments that has them. */
  readonly where: string;
}

interface Rule<Of> {
  readonly when: (of: Of) => boolean;
  readonly says: (of: Of) => NamedText;
}

const isOneItem = ({ items }: Wrong): boolean => items.length === 1;

const isValue = ({ row, isMain }: JudgedNumber): boolean => isMain || !isKind(row.kind);

const hasSide = ({ report: { scales }, wrong: [{ row }] }: Wrong): boolean =>
  isKind(row.kind) && (scaleAmong(scales, row)?.direction ?? null) !== null;

function changedRank({ numbers, report, wrong: [first] }: Wrong): string {
  const ranks = rankChange(first, numbers, report);
  return ranks === null || ranks.published === ranks.follows
    ? ""
    : `, which makes it ${ordinal(ranks.published)} instead of ${ordinal(ranks.follows)}`;
}

const inPlaces = ({ places }: JudgedNumber): string =>
  places.length > 1 ? ` in ${places.length} places` : "";

function whatElse({ wrong: [{ row: own }, ...others] }: Wrong): string {
  const isEnd = ({ row: { kind, field } }: JudgedNumber): boolean =>
    kind === own.kind && isKind(kind) && isOfInterval(kind, field);
  if (others.length === 0) return "";
  if (others.every(isEnd)) return "; its interval does not follow either";
  const { length: more } = others;
  const numbers = does(more, "number does", "numbers do");
  return `; ${thousands(more)} more of its ${numbers} not follow either`;
}

/** Which numbers do not follow, and how: the first that holds. */
const wrongRules: readonly Rule<Wrong>[] = [
  {
    when: ({ wrong }) => wrong.every(({ row }) => row.kind === "" && row.recomputed === null),
    says: ({ wrong: [{ row }] }) => [row.explanation ?? ""],
  },
  {
    when: (of) => isOneItem(of) && of.wrong.every(({ difference }) => difference === null),
    says: ({ items, wrong: [{ row }], where }) => [
      ...namedItems(items),
      where + (row.published === null ? " is not published" : " gets no number from them"),
    ],
  },
  {
    when: (of) => isOneItem(of) && isValue(of.wrong[0]) && of.wrong[0].difference !== null,
    says(of) {
      const [first] = of.wrong;
      const { published, follows } = ownTexts(first);
      const way = (first.difference ?? 0) > 0 ? "high" : "low";
      const says = hasSide(of)
        ? `is published ${amountOf(first)} too ${way}${inPlaces(first)}${changedRank(of)}`
        : `is published as ${published}${inPlaces(first)}; ${follows} follows`;
      return [...namedItems(of.items), `${of.where} ${says}${whatElse(of)}`];
    },
  },
  {
    when: (of) => isOneItem(of) && of.wrong.length === 1,
    says: ({ items, wrong: [first], where }) => [
      `${joinParts([titleOfKind(first.row.kind), first.row.field])} of `,
      ...namedItems(items),
      where + inPlaces(first),
    ],
  },
  {
    when: ({ items }) => items.length <= 3,
    says: ({ items, wrong: [first, ...others], where }) => {
      const noun = nounOf(first);
      const isOne = others.every((one) => nounOf(one) === noun);
      return [`the ${isOne ? noun : "number"}s of `, ...namedItems(items), where];
    },
  },
  {
    when: () => true,
    says({ items, wrong, where }) {
      const far = new Set(wrong.filter(isFar).map(({ row }) => row.item));
      const most = far.size > 0 ? [...far] : items;
      return ["most of all ", ...namedItems(most.slice(0, 3)), where];
    },
  },
];

function wrongText(report: AuditReport): NamedText {
  const numbers = judgedNumbers(report, isFalse);
  const wrong = falseNumbers(numbers);
  const [first, ...others] = wrong;
  if (first === undefined) return [];
  const ids = new Set(report.rows.map(({ experiment_id }) => experiment_id));
  const isOne = wrong.every(({ row }) => row.experiment_id === first.row.experiment_id);
  const of: Wrong = {
    report,
    numbers,
    wrong: [first, ...others],
    items: [...new Set(wrong.map(({ row }) => row.item))],
    where: ids.size > 1 && isOne ? ` in ${experimentName(first.row)}` : "",
  };
  return wrongRules.find(({ when }) => when(of))?.says(of) ?? [];
}

/** " exactly", or ": 3 exactly, 2 under one accepted convention". */
function followText(report: AuditReport, rows: readonly AuditRow[]): string {
  const ways = followWays.flatMap(({ when, says }) => {
    const own = rows.filter(when);
    const causes = new Set(own.map(({ explanation }) => explanation));
    const isAccepted = (row: AuditRow): boolean =>
      row.verdict === "explained" && acceptanceOf(report, row) !== null;
    const states = new Set(own.map(isAccepted));
    const state = states.size > 1 ? "stated or accepted" : states.has(true) ? "accepted" : "stated";
    return own.length === 0 ? [] : [{ count: own.length, text: says(causes.size, state) }];
  });
  const [first] = ways;
  if (first !== undefined && ways.length === 1) return ` ${first.text}`;
  return `: ${joinParts(ways.map(({ count, text }) => `${thousands(count)} ${text}`))}`;
}

interface FollowWay {
  readonly when: (row: AuditRow) => boolean;
  readonly says: (conventions: number, state: string) => string;
}

const followWays: readonly FollowWay[] = [
  { when: ({ verdict }) => verdict === "exact", says: () => "exactly" },
  { when: ({ verdict }) => verdict === "within_tolerance", says: () => "within the tolerance" },
  {
    when: ({ verdict }) => verdict === "explained",
    says: (count, state) =>
      `under ${count === 1 ? "one" : count} ${state} convention${count === 1 ? "" : "s"}`,
  },
  {
    when: ({ verdict }) => verdict === "unstated",
    says: (count) =>
      `under ${count === 1 ? "a convention" : `${count} conventions`} that nobody has stated`,
  },
];

/** "The other 47 follow: …", of a report with a false number; "" for none. */
export function othersText(report: AuditReport): string {
  const rows = numberRows(report);
  const others = rows.filter((row) => !isFalse({ row }));
  const following = others.filter(isFollowing);
  const [all, follow] = [others.length, following.length];
  if (all === 0 || all === rows.length) return "";
  const open = all - follow;
  const rest = all === 1 ? "The other" : `The other ${thousands(all)}`;
  if (follow === 0) return `${rest} ${does(open, "needs", "need")} a decision`;
  const how = followText(report, following);
  if (open === 0) return `${rest} ${does(all, "follows", "follow")}${how}`;
  return (
    `Of the other ${thousands(all)}, ${thousands(follow)} ${does(follow, "follows", "follow")}` +
    `${how}; ${thousands(open)} ${does(open, "needs", "need")} a decision`
  );
}

const isFollowing = ({ verdict }: AuditRow): boolean =>
  toneOf(verdict) === "ok" || verdict === "unstated";

interface Compared {
  readonly report: AuditReport;
  readonly rows: readonly AuditRow[];
  readonly total: string;
  readonly subject: string;
  readonly all: number;
  readonly bad: number;
  readonly doubt: number;
  readonly open: number;
}

const does = (count: number, one: string, several: string): string => (count === 1 ? one : several);

const comparedRules: readonly Rule<Compared>[] = [
  { when: ({ all }) => all === 0, says: () => [] },
  {
    when: ({ bad }) => bad > 0,
    says: ({ report, all, bad, total, subject }) => [
      all === 1 ? subject : `${thousands(bad)} of ${total}`,
      ` ${does(bad, "does", "do")} not follow from the ratings: `,
      ...wrongText(report),
      ".",
    ],
  },
  {
    when: ({ open }) => open === 0,
    says({ report, rows, all, subject }) {
      const how = followText(report, rows);
      const from = how.startsWith(":") ? "" : " from the ratings";
      return [`${subject} ${does(all, "follows", "follow")}${from}${how}.`];
    },
  },
  {
    when: ({ all, doubt }) => doubt === all,
    says: ({ all, subject }) => [`${subject} ${does(all, "needs", "need")} a decision.`],
  },
  {
    when: () => true,
    says: ({ doubt, total }) => [
      `${thousands(doubt)} of ${total} ${does(doubt, "needs", "need")} a decision; the others ` +
        "follow from the ratings.",
    ],
  },
];

function comparedSentence(report: AuditReport, isAll: boolean): NamedText {
  const rows = numberRows(report);
  const count = (is: (row: AuditRow) => boolean): number => rows.filter(is).length;
  const all = rows.length;
  const compared = isAll ? "" : ` that ${does(all, "was", "were")} compared`;
  const total = `${counted(all, "published number")}${compared}`;
  const of: Compared = {
    report,
    rows,
    total,
    subject: all === 1 ? `The only published number${compared}` : `All ${total}`,
    all,
    bad: count((row) => isFalse({ row })),
    doubt: count(({ verdict }) => toneOf(verdict) === "doubt"),
    open: count((one) => !isFollowing(one)),
  };
  return comparedRules.find(({ when }) => when(of))?.says(of) ?? [];
}

/**
 * The result of an audit in a few sentences: what was compared, and what was not.
 * @param others the sentence about what follows where something does not
 */
export function verdictSentence(report: AuditReport, others = ""): NamedText {
  const rest = restOf(report);
  const isAll = rest === "";
  const nothing = isAll
    ? "The snapshot contains no published numbers."
    : "No published number was compared with the ratings.";
  const compared = comparedSentence(report, isAll);
  const more = sentences(
    others !== "" && `${others}.`,
    report.part && partSentence(report.part),
    rest,
    flagSentences(report.correctness),
    report.shortfalls.length > 0 && "The snapshot is incomplete.",
  );
  return [...(compared.length === 0 ? [nothing] : compared), more === "" ? "" : ` ${more}`];
}

export const verdictLine = (report: AuditReport): string =>
  verdictSentence(report, othersText(report))
    .map((part) => (typeof part === "string" ? part : part.name))
    .join("");
