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

export const isKind = (name: string): name is Kind => byName.has(name);

export const metricKind = (name: Kind): MetricKind<KindConventions> => byName.get(name)!;

/** Whether zero is a convention, so any level is as good. */
export const hasFreeLevel = (name: Kind): boolean => metricKind(name).units?.level !== undefined;

const rolesByName = new Map(
  [...byName].map(([name, { fields, besides }]) => [name, { ...fields, ...besides }]),
);
const fieldsByName = new Map([...rolesByName].map(([name, roles]) => [name, Object.keys(roles)]));

/** In the order of reports; last those without a model. */
export const fieldsOf = (name: Kind): readonly string[] => fieldsByName.get(name)!;

export const mainField = (name: Kind): string => fieldsOf(name)[0]!;

export const isCount = (kind: string, field: string): boolean =>
  byName.get(kind)?.fields[field] === "count";

export const isHalfWidth = (kind: Kind, field: string): boolean =>
  rolesByName.get(kind)![field] === "half width";

/** Libraries compute its quantile less precisely. */
export const isOfInterval = (kind: Kind, field: string): boolean =>
  rolesByName.get(kind)![field] === "interval end" || isHalfWidth(kind, field);
