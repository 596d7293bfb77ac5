/** What a pipeline file sets for the audit: tolerances, fields left out, limit of the search. */

/** An entry of `ignore:`. */
export interface Ignored {
  /** Identifier or name; default: every experiment. */
  readonly experiment?: string;
  /** Default: all. */
  readonly kind?: string;
  /** As the audit names it: `votes`, `options.alpha`; also all within it. */
  readonly field: string;
  readonly reason: string;
}

export function ignoredAs(
  ignore: readonly Ignored[],
  of: { readonly experiment_id: string; readonly experiment_name: string; readonly kind: string },
  field: string,
): Ignored | null {
  const isAbout = (entry: Ignored): boolean =>
    `${field}.`.startsWith(`${entry.field}.`) &&
    [undefined, of.experiment_id, of.experiment_name].includes(entry.experiment) &&
    [undefined, of.kind].includes(entry.kind);
  return ignore.find(isAbout) ?? null;
}
