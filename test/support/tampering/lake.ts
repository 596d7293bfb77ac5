import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Manifest, Part, Unit } from "../../../src/lake/index.js";
import { reseal } from "../reseal.js";

/** A copy of the intact lake, to be damaged. */
export interface Lake {
  readonly root: string;
  readonly project: string;
  readonly snapshot: string;
  readonly raw: string;
  readonly manifest: string;
  readonly part: string;
  /** Rewrites the manifest under a valid seal. */
  reseal(change: (manifest: Manifest) => object): void;
  /** The same for the units of an operation. */
  units(operation: string, change: (unit: Unit) => object | null): void;
  /** The same for the part of the ratings of the first experiment. */
  ratings(change: (part: Part) => object): void;
}

/** @param at folder of the lake, which has one snapshot of one project */
export function lakeAt(at: string, project: string): Lake {
  const own = join(at, project);
  const [snapshot = ""] = readdirSync(join(own, "snapshots"));
  const folder = join(own, "snapshots", snapshot);
  const manifest = join(folder, "manifest.json");
  const withUnits: Lake["units"] = (operation, change) =>
    reseal(manifest, (whole) => ({
      ...whole,
      units: whole.units.flatMap((unit) => (unit.operation === operation ? (change(unit) ?? []) : unit)),
    }));
  return {
    root: at,
    project: own,
    snapshot: folder,
    raw: join(own, "raw"),
    manifest,
    part: join(folder, "experiment_id=exp1/ratings.parquet"),
    reseal: (change) => reseal(manifest, change),
    units: withUnits,
    ratings: (change) =>
      withUnits("listRatings", (unit) =>
        unit.experiment_id === "exp1" ? { ...unit, parts: unit.parts.map(change) } : unit,
      ),
  };
}

/** Something that is done to a lake, and what is said then. */
export interface Damage {
  readonly done: string;
  /** What `recount verify` says, a line for each problem. */
  readonly said: RegExp;
  readonly how: (lake: Lake) => void;
  /** Exit codes of `recount verify` and of `recount query`, which reads no digests. */
  readonly codes: { readonly verify: number; readonly query: number };
}

const outcome =
  (verify: number, query: number) =>
  (done: string, said: RegExp, how: Damage["how"]): Damage => ({ done, said, how, codes: { verify, query } });

/** All is well, or nothing but leftovers is found. */
export const sound = outcome(0, 0);
/** Verification finds it; a query does not meet it. */
export const found = outcome(3, 0);
/** Verification finds it, and a query refuses to read. */
export const refused = outcome(3, 4);
/** There is nothing to verify or read. */
export const absent = outcome(4, 4);
