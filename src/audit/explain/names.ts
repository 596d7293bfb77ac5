/** The names of conventions that a pipeline file may accept. */
import { defaultConventions, kinds, numberIn, type Kind } from "../../metrics/index.js";
import { didYouMean, isMap } from "../../platform/index.js";
import {
  drawnIntervals,
  levels,
  populationFamilies,
  populationOptions,
  scorings,
} from "./hypotheses.js";
import { leftOutFamilies } from "./left-out.js";

/** Ends a family's name: the name of a job, item or dimension follows. */
const anyName = "…";

/** Why no audit finds a convention named for a kind or `*`; null if one may. */
export function conventionProblem(kind: string, convention: string): string | null {
  const own = kinds.filter((one) => kind === "*" || one === kind);
  const isOwn = (of: { readonly kinds: readonly Kind[] }) =>
    of.kinds.some((one) => own.includes(one));
  const all = [...populationOptions, ...scorings, ...levels, ...populationFamilies, drawnIntervals];
  const names = [...all, ...leftOutFamilies].filter(isOwn).map(({ name }) => name);
  const isKnown = (part: string) =>
    names.includes(part) ||
    names.some((one) => one.endsWith(anyName) && part.startsWith(one.slice(0, -anyName.length)));
  const parts = convention.trim().split(/\s+(?=[a-z_]+=)/);
  const odd = parts.find((part) => !isKnown(part));
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
