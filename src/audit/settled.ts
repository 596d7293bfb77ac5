/** What an audit takes over of an earlier one. */
import { byText } from "../platform/index.js";
import { partOfFlags, type PartSubject } from "./part.js";
import type { AuditReport } from "./report.js";

/** An audit, of which a later one may take over what it found of some experiments. */
export interface SettledAudit {
  readonly report: AuditReport;
  /** Digests of everything on which that depends, by experiment. */
  readonly settled: ReadonlyMap<string, string>;
}

/** The experiments whose digests are those of an earlier audit; null: fewer than half, or none. */
export function takenOf(
  { settled }: SettledAudit,
  keys: ReadonlyMap<string, string>,
): ReadonlySet<string> | null {
  const same = [...keys].filter(([id, key]) => settled.get(id) === key);
  return 2 * same.length < keys.size || same.length === 0 ? null : new Set(same.map(([id]) => id));
}

type ByExperiment = Pick<
  AuditReport,
  "rows" | "correctness" | "contradictions" | "results" | "unread_fields"
> & { readonly weighted: readonly string[] };

/** What was found of all experiments: of some by an earlier audit, of the others now. */
export function together(
  earlier: AuditReport,
  taken: ReadonlySet<string>,
  own: ByExperiment,
): ByExperiment {
  const isTaken = (one: PartSubject) => taken.has(one.experiment_id);
  // Each list is in the order of the experiments.
  const both = <T extends PartSubject>(before: readonly T[], now: readonly T[]): T[] =>
    [...before.filter(isTaken), ...now].sort((a, b) => byText(a.experiment_id, b.experiment_id));
  const flags = partOfFlags(earlier.correctness, isTaken);
  const { compared, equal, compared_in, different, inconclusive } = own.correctness;
  const counts = Object.entries({ ...flags.compared_in, ...compared_in });
  const weighted = earlier.weighted?.filter((id) => taken.has(id)) ?? [];
  return {
    rows: both(earlier.rows, own.rows),
    contradictions: both(earlier.contradictions, own.contradictions),
    results: both(earlier.results, own.results),
    unread_fields: both(earlier.unread_fields, own.unread_fields),
    correctness: {
      compared: flags.compared + compared,
      equal: flags.equal + equal,
      compared_in: Object.fromEntries(counts.sort(([a], [b]) => byText(a, b))),
      different: both(flags.different, different),
      inconclusive: both(flags.inconclusive, inconclusive),
    },
    weighted: [...weighted, ...own.weighted].sort(byText),
  };
}
