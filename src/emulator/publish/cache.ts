import type { Study } from "../state/state.js";
import { resultsOf, type Result } from "./results.js";
import type { PublishingRule } from "./rule.js";

/** Computed results, kept until their study changes. */
export class ResultsCache {
  private readonly kept = new WeakMap<Study, { revision: number; bySource: Map<string, Result[]> }>();

  constructor(private readonly rules: readonly PublishingRule[]) {}

  of(study: Study, source = ""): Result[] {
    let own = this.kept.get(study);
    if (own?.revision !== study.revision) {
      own = { revision: study.revision, bySource: new Map() };
      this.kept.set(study, own);
    }
    const results = own.bySource.get(source) ?? resultsOf(study, this.rules, source);
    own.bySource.set(source, results);
    return results;
  }
}
