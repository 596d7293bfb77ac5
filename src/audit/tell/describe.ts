/** Findings as a reader sees them: the same sentences for console, Markdown, JUnit and page. */
import { resultKey } from "../result.js";
import type { AuditRow } from "../judge/rows.js";
import type { AuditReport } from "./report.js";
import { attentionOf } from "../judge/verdict.js";
import type { Explanation, Nearest } from "../explain/find-cause.js";
import type { Finding } from "../judge/finding.js";
import { namedNumbers, signed } from "./named.js";
import { renamedText, type Renamed } from "../explain/repair-items.js";
import { defaultConventions, isKind, metricKind } from "../../metrics/index.js";
import {
  capitalized,
  counted,
  firstFew,
  groupsOf,
  joinParts,
  listed,
} from "../../platform/index.js";

/** Plain text, no markup; published names may hold any character. */
export interface FindingView {
  readonly experiment: string;
  readonly about: string;
  readonly title: string;
  readonly places: readonly string[];
  /** The finding's, or `unexplained` if a number does not follow. */
  readonly verdict: Finding["verdict"];
  readonly named: readonly string[];
  readonly found: string;
  /** Of what matches; otherwise the smallest difference, or null if nothing comes near. */
  readonly cause: string | null;
  readonly isExplained: boolean;
  /** Whole sentences: rivals, fits, who accepted it. */
  readonly caveats: readonly string[];
  readonly stated: readonly string[];
  readonly changed: Finding["smallest_difference"];
  readonly numbers: readonly AuditRow[];
  /** `accept:` entries (YAML, indented) for what is determined and nobody states. */
  readonly next: readonly string[];
}

/** "job a", "jobs a, b", "job7" if the name says it, or "" for a whole experiment. */
export function sourceText(source: string): string {
  if (source === "" || /^job/i.test(source)) return source.replaceAll(",", ", ");
  return source.includes(",") ? `jobs ${source.replaceAll(",", ", ")}` : `job ${source}`;
}

export function describeFindings({
  findings,
  rows,
}: Pick<AuditReport, "findings" | "rows">): FindingView[] {
  const found = new Set(findings.map(resultKey));
  const ofResult = groupsOf(
    rows.filter((row) => found.has(resultKey(row))),
    resultKey,
  );
  return [...groupsOf(findings, causeKey).values()].flatMap((alike) => {
    const numbers = (finding: Finding): readonly AuditRow[] =>
      ofResult.get(resultKey(finding)) ?? [];
    const [first] = alike;
    if (new Set(alike.map(resultKey)).size === 1)
      return alike.map((finding) => describeFinding(finding, numbers(finding)));
    return [describeShared(alike, first.explanation!, findings, numbers)];
  });
}

/** One key, one cause; what nothing explains is by itself. */
function causeKey(finding: Finding): string {
  const { explanation, verdict, accepted, published_in, renamed } = finding;
  if (renamed.length > 0 || explanation === null || explanation.mixed.length > 0)
    return JSON.stringify([resultKey(finding), published_in]);
  const { name, unstated, contradicts } = explanation;
  return JSON.stringify([name, unstated, contradicts, verdict, accepted?.reason ?? null]);
}

const rivalsOf = ({ explanation }: Finding): readonly string[] => explanation?.rivals ?? [];

function describeShared(
  alike: readonly [Finding, ...Finding[]],
  explanation: Explanation,
  all: readonly Finding[],
  rowsOf: (finding: Finding) => readonly AuditRow[],
): FindingView {
  const [first] = alike;
  const unique = (values: readonly string[]): string[] => [...new Set(values)];
  const kinds = unique(alike.map(({ kind }) => kind));
  const differing = all.filter(({ kind }) => kinds.includes(kind)).length;
  const nameOf = (finding: Finding): string =>
    rowsOf(finding)[0]?.experiment_name || finding.experiment_id;
  const experiments = unique(alike.map(nameOf));
  const open = alike.filter((finding) => rivalsOf(finding).length > 0);
  const rivals = unique(open.flatMap(rivalsOf));
  const where =
    open.length < alike.length
      ? `In ${open.length} of them (${firstFew(unique(open.map(nameOf)), 4)}), the`
      : "The";
  const parts = explanation.unstated.split(" ").map((part) => part.split("="));
  const isSettable = parts.every(
    ([axis = "", value]) =>
      typeof Object.entries(defaultConventions).find(([name]) => name === axis)?.[1] === "string" &&
      value !== "only",
  );
  const conventions = parts.map(([axis, value]) => `${axis}: ${value}`).join(", ");
  const advice =
    first.verdict === "unstated" && isSettable && alike.length === differing && open.length === 0
      ? [`If the service counts this way, set conventions: { ${conventions} }.`]
      : [];
  const wrongOf = (finding: Finding): string[] =>
    namedNumbers(inFirstPlace(finding, rowsOf(finding)), true).map(
      (sentence) => `${nameOf(finding)}, ${finding.kind}: ${sentence}`,
    );
  return {
    experiment: experiments.length === 1 ? experiments[0]! : `${experiments.length} experiments`,
    about: listed(kinds),
    title: listed(kinds.map(kindTitle)),
    places: unique(alike.flatMap((finding) => finding.published_in)),
    ...toldOf(alike.flatMap(wrongOf), first),
    found:
      `${alike.length} of ${counted(differing, "result")} that differ ` +
      `match${experiments.length > 1 ? ` (${firstFew(experiments, 4)})` : ""}`,
    cause: causeText(explanation),
    isExplained: true,
    caveats: [...caveatsOf(first, { ...explanation, rivals }, where), ...advice],
    stated: first.stated,
    changed: null,
    numbers: alike.flatMap((finding) => differingIn(inFirstPlace(finding, rowsOf(finding)))),
    next: acceptancesOf(alike),
  };
}

const aboutOf = ({ dimension, source }: Finding, kind: string): string =>
  [kind, dimension, sourceText(source)].filter((text) => text !== "").join(", ");

const kindTitle = (kind: string): string => (isKind(kind) ? metricKind(kind).title : kind);

const inFirstPlace = ({ published_in: [place] }: Finding, rows: readonly AuditRow[]): AuditRow[] =>
  rows.filter((row) => row.published_in === place);

const differingIn = (rows: readonly AuditRow[]): AuditRow[] =>
  rows.filter(({ verdict }) => attentionOf(verdict) > 0);

const toldOf = (
  named: readonly string[],
  { verdict }: Finding,
): Pick<FindingView, "named" | "verdict"> => ({
  named,
  verdict: named.length > 0 ? "unexplained" : verdict,
});

function describeFinding(finding: Finding, rows: readonly AuditRow[]): FindingView {
  const { experiment_id, published_in, explanation, smallest_difference } = finding;
  const all = inFirstPlace(finding, rows);
  const numbers = differingIn(all);
  const named = namedNumbers(all, explanation !== null);
  return {
    experiment: rows[0]?.experiment_name || experiment_id,
    about: aboutOf(finding, finding.kind),
    title: aboutOf(finding, kindTitle(finding.kind)),
    places: published_in,
    ...toldOf(named, finding),
    found: explanation === null ? triedText(finding) : matchText(finding, explanation),
    cause:
      explanation === null
        ? (smallest_difference?.says ?? nearestText(finding, named.length > 0))
        : causeText(explanation),
    isExplained: explanation !== null,
    caveats: [
      ...(explanation === null ? [] : caveatsOf(finding, explanation)),
      ...renamedCaveats(finding),
    ],
    stated: finding.stated,
    changed: smallest_difference,
    numbers,
    next: acceptancesOf([finding]),
  };
}

/** Sentences, to follow a colon unless `isAlone`. */
export function findingText(
  { named, found, cause, isExplained, caveats }: FindingView,
  isAlone = false,
): string {
  const why = cause === null ? "" : isExplained ? ` when ${cause}` : `; ${cause}`;
  const text = `${found}${why}.`;
  const first = named.length === 0 && !isAlone ? text : capitalized(text);
  return [...named, first, ...caveats].join(" ");
}

function matchText(
  { published_in: places }: Finding,
  { of, differing, matched }: Explanation,
): string {
  const all =
    differing === 1 ? "the number" : differing === 2 ? "both numbers" : `all ${differing} numbers`;
  const numbers = matched === differing ? all : `${matched} of ${counted(differing, "number")}`;
  const which = differing >= of ? "" : differing === 1 ? " that differs" : " that differ";
  const lists = places.length === 1 ? "" : ` in each of ${places.length} lists`;
  return `${numbers}${which} ${matched === 1 ? "matches" : "match"}${lists}`;
}

function causeText({ says, name, contradicts }: Explanation): string {
  const contrary =
    contradicts.length === 0
      ? ""
      : `, although the published options state ${contradicts.join(", ")}`;
  return `${says}${contrary} (${name})`;
}

const shownRivals = 4;

function caveatsOf(
  { verdict, accepted }: Finding,
  { rivals, mixed }: Explanation,
  where = "The",
): string[] {
  const others =
    rivals.length === 0
      ? []
      : [
          `${where} published numbers cannot distinguish it from: ` +
            `${rivals.slice(0, shownRivals).join("; ")}${
              rivals.length > shownRivals ? "; …" : ""
            }.`,
        ];
  if (mixed.length > 0) others.push(`Those of ${firstFew(mixed, 4)} follow only without it.`);
  if (accepted !== null) return [...others, `Accepted: ${accepted.reason}`];
  return verdict === "unstated" ? [...others, "Neither documented nor accepted."] : others;
}

function renamedCaveats({ renamed, smallest_difference: smallest }: Finding): string[] {
  if (renamed.length === 0) return [];
  const found = `${capitalized(renamedText(renamed))}.`;
  const [{ published, recomputed }] = renamed as [Renamed];
  const values = `{ ${JSON.stringify(recomputed)}: ${JSON.stringify(published)} }`;
  const advice =
    "If they are one item, the mapping of an import can say so, as item: { column: …, values: " +
    `${values} }.`;
  return smallest?.change === "renamed" ? [advice] : [found, advice];
}

function triedText({ nearest, tried, untried }: Finding): string {
  const text =
    `no convention explains ${nearest === null ? "them" : differingText(nearest)} (${tried} ` +
    "tried)";
  return untried.length === 0
    ? text
    : `${text}; not tried within the work limit: ${untried.join(", ")}`;
}

function differingText({ differing, of }: Nearest): string {
  if (differing >= of) return differing === 1 ? "the only number" : `the ${differing} numbers`;
  return differing === 1
    ? `the one number of ${of} that differs`
    : `the ${differing} of ${of} numbers that differ`;
}

const enoughNumbers = 0.8;

function nearestText({ nearest, kind }: Finding, isNamed: boolean): string | null {
  if (nearest === null) return null;
  const { name, matched, differing, largest, says } = nearest;
  if (name === "own" || name.startsWith("unit=")) {
    if (isNamed || largest.length === 0) return null;
    const each = largest.map(({ item, difference }) => `${signed(difference, 2)} (${item})`);
    const what = joinParts([kindTitle(kind), says === "" ? null : `(${says})`], " ");
    return (
      `nearest is ${what}: ${nearest.following} of ${nearest.items} follow, and the largest ` +
      `difference${each.length > 1 ? "s are" : " is"} ${listed(each)}; no item is named, as ` +
      nearest.unnamed
    );
  }
  const all = differing === 1 ? "it" : differing === 2 ? "both" : `all ${differing}`;
  const them = matched < differing ? `${matched} of ${differing}` : all;
  const isFew = matched < enoughNumbers * differing;
  const [most] = largest;
  const off =
    most === undefined ? "" : `, and misses ${most.item} by ${signed(most.difference, 2)}`;
  const why = isFew ? "is too few" : "may be chance";
  const advice = isFew ? "" : ". Accept it if its publisher confirms it";
  return `${name} gives ${them}, which ${why}${off}${advice}`;
}

/**
 * As wide as determined (all, an experiment, a kind): no other convention gives all its results.
 */
function acceptancesOf(alike: readonly [Finding, ...Finding[]]): string[] {
  const [{ experiment_id, kind, explanation, verdict }] = alike;
  if (explanation === null || verdict !== "unstated") return [];
  const byExperiment = [...groupsOf(alike, (finding) => finding.experiment_id).values()];
  const byKind = [...groupsOf(alike, (finding) => finding.kind).values()];
  const scopes = byExperiment.flatMap((all) => [
    ...groupsOf(all, (finding) => finding.kind).values(),
  ]);
  const isDetermined = (scope: readonly Finding[]): boolean =>
    !scope
      .flatMap(rivalsOf)
      .some((rival) => scope.every((finding) => rivalsOf(finding).includes(rival)));
  if (!scopes.every(isDetermined)) {
    const parts = byExperiment.length > 1 ? byExperiment : byKind;
    return parts.length > 1 ? parts.flatMap(acceptancesOf) : [];
  }
  return [
    [
      `  - experiment: ${JSON.stringify(byExperiment.length > 1 ? "*" : experiment_id)}`,
      `    kind: ${byKind.length > 1 ? '"*"' : kind}`,
      `    convention: ${JSON.stringify(explanation.unstated)}`,
      `    reason: ""`,
    ].join("\n"),
  ];
}
