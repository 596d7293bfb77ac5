/** The registry of metric kinds. */
import type { Static, TObject } from "typebox";
import { bayesianEloKind } from "./bayesian-elo/kind.js";
import { bradleyTerryKind } from "./bradley-terry/kind.js";
import { elo } from "./elo/kind.js";
import type { MetricKind } from "./kind.js";
import { mean } from "./mean.js";
import { percentApproved } from "./percent-approved.js";
import { percentChosen } from "./percent-chosen.js";
import { stats } from "./stats/kind.js";
import { winLoss } from "./win-loss.js";

/** In the order of reports. */
export const registry = [
  winLoss,
  percentChosen,
  percentApproved,
  mean,
  stats,
  elo,
  bayesianEloKind,
  bradleyTerryKind,
] as const;

export type Kind = (typeof registry)[number]["name"];

type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (
  all: infer I,
) => void
  ? I
  : never;

export type KindSchemas = Intersection<(typeof registry)[number]["conventions"]>;
export type KindConventions = Static<TObject<KindSchemas>>;

export const kinds: readonly Kind[] = registry.map(({ name }) => name);

const byName: ReadonlyMap<string, MetricKind<KindConventions>> = new Map(
  registry.map((kind) => [kind.name, kind]),
);

export function isKind(name: string): name is Kind {
  return byName.has(name);
}

export function metricKind(name: Kind): MetricKind<KindConventions> {
  return byName.get(name)!;
}

const rolesByName = new Map(
  [...byName].map(([name, { fields, besides }]) => [name, { ...fields, ...besides }]),
);
const fieldsByName = new Map([...rolesByName].map(([name, roles]) => [name, Object.keys(roles)]));

/** In the order of reports; last those without a model. */
export function fieldsOf(name: Kind): readonly string[] {
  return fieldsByName.get(name)!;
}

export function mainField(name: Kind): string {
  return fieldsOf(name)[0]!;
}

export function isCount(kind: string, field: string): boolean {
  return byName.get(kind)?.fields[field] === "count";
}

/** Libraries compute its quantile less precisely. */
export function isOfInterval(kind: Kind, field: string): boolean {
  return rolesByName.get(kind)![field] === "interval end" || isHalfWidth(kind, field);
}

export function isHalfWidth(kind: Kind, field: string): boolean {
  return rolesByName.get(kind)![field] === "half width";
}
