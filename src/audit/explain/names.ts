/** The names of conventions that a pipeline file may accept. */
import { defaultConventions, kinds, metricKind, numberIn, type Kind } from "../../metrics/index.js";
import { didYouMean, isMap } from "../../platform/index.js";
import {
  drawnIntervals,
  populationFamilies,
  populationOptions,
  scorings,
  unitScales,
} from "../recompute/hypotheses.js";
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
export const sortedNames = (convention: string): string =>
  namesIn(convention)
    .map((part) => formerNames.find(([former]) => former.test(part))?.[1] ?? part)
    .filter((part) => part !== "")
    .sort()
    .join(" ");

/** Why no audit finds a convention named for a kind or `*`; null if one may. */
export function conventionProblem(kind: string, convention: string): string | null {
  const own = kinds.filter((one) => kind === "*" || one === kind);
  const isOwn = (of: { readonly kinds: readonly Kind[] }) =>
    of.kinds.some((one) => own.includes(one));
  const all = [
    ...populationOptions,
    ...scorings,
    ...unitScales,
    ...populationFamilies,
    drawnIntervals,
  ];
  const names = [...all, ...leftOutFamilies].filter(isOwn).map(({ name }) => name);
  const hasUnits = own.some((one) => metricKind(one).units !== undefined);
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
  const setting = own.find((one) => {
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
