/** The names of conventions, and those that a person accepts in a pipeline file. */
import {
  defaultConventions,
  hasFreeLevel,
  kinds,
  numberIn,
  type Kind,
} from "../../metrics/index.js";
import { didYouMean, isMap } from "../../platform/index.js";
import {
  drawnIntervals,
  populationFamilies,
  populationOptions,
  scorings,
  unitScales,
} from "../recompute/hypotheses.js";
import type { GroupKey } from "../result.js";
import { leftOutFamilies } from "./left-out.js";

const anyName = "…";

/** Of earlier versions: levels are no conventions now, and a unit has its own name. */
const formerNames: readonly (readonly [RegExp, string])[] = [
  [/^(start|anchor)=[\d.]+$/, ""],
  [/^unit=elo_\d\S*$/, "unit=elo"],
  [/^scale=(200|400)$/, "unit=half_elo"],
];

const namesIn = (convention: string): string[] => convention.trim().split(/\s+(?=[a-z_]+=)/);

/** In any order, as the audit names it now. */
const sortedNames = (convention: string): string =>
  namesIn(convention)
    .map((part) => formerNames.find(([former]) => former.test(part))?.[1] ?? part)
    .filter((part) => part !== "")
    .sort()
    .join(" ");

/** Why no audit finds a convention named for a kind or `*`; null if one may. */
export function conventionProblem(kind: string, convention: string): string | null {
  const meant = kinds.filter((one) => kind === "*" || one === kind);
  const isOwn = (of: { readonly kinds: readonly Kind[] }) =>
    of.kinds.some((one) => meant.includes(one));
  const all = [
    ...populationOptions,
    ...scorings,
    ...unitScales,
    ...populationFamilies,
    drawnIntervals,
  ];
  const names = [...all, ...leftOutFamilies].filter(isOwn).map(({ name }) => name);
  const hasUnits = meant.some(hasFreeLevel);
  const isKnown = (part: string) =>
    (hasUnits && formerNames.some(([former]) => former.test(part))) ||
    names.includes(part) ||
    names.some((one) => one.endsWith(anyName) && part.startsWith(one.slice(0, -anyName.length)));
  const odd = namesIn(convention).find((part) => !isKnown(part));
  if (odd === undefined) return null;
  const nameOf = (one: string) => one.split("=")[0] ?? "";
  const alike = names.filter((one) => nameOf(one) === nameOf(odd));
  const known = alike.length > 0 ? alike : [...new Set(names.map(nameOf))];
  const [axis = "", value = ""] = odd.split("=");
  const setting = meant.find((one) => {
    const settings = new Map<string, unknown>(Object.entries(defaultConventions)).get(one);
    return isMap(settings) && typeof settings[axis] === "number" && numberIn(value) !== undefined;
  });
  return (
    `${JSON.stringify(odd)} is no convention of ` +
    `${kind === "*" ? "any metric" : kind}.${didYouMean(odd, names)} Known here: ` +
    `${known.join(", ")}.` +
    (setting ? ` For another, set conventions: { ${setting}: { ${axis}: ${value} } }.` : "")
  );
}

export interface Acceptance {
  readonly experiment: string;
  readonly kind: string;
  /** As the audit names it: `k=16 start=1000`. */
  readonly convention: string;
  readonly reason: string;
}

export interface Covered {
  readonly unstated: string;
  readonly rivals: readonly string[];
}

type Subject = Pick<GroupKey, "experiment_id" | "experiment_name" | "kind">;

export const isAbout = ({ experiment, kind }: Acceptance, of: Subject): boolean =>
  isAnyOr(kind, of.kind) &&
  (isAnyOr(experiment, of.experiment_id) || experiment === of.experiment_name);

export const isAnyOr = (stated: string, value: string): boolean =>
  stated === "*" || stated === value;

/** Whether it is all that nobody states of an explanation, or a rival; in any order. */
export function covers({ convention }: Acceptance, { unstated, rivals }: Covered): boolean {
  return [unstated, ...rivals].some((name) => sortedNames(name) === sortedNames(convention));
}

export function acceptedFor(
  accept: readonly Acceptance[],
  of: Subject,
  explanation: Covered,
): Acceptance | null {
  return accept.find((entry) => isAbout(entry, of) && covers(entry, explanation)) ?? null;
}
