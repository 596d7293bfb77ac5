type Fields = Record<string, unknown>;

const olderShapes: Record<string, (row: Fields) => Fields> = {
  listSlates: (row) => ({ ...row, rater_id: Number(row["rater_id"]) }),
  listRaters: (row) => ({ ...row, id: Number(row["id"]) }),
  listSessions: (row) => ({
    ...row,
    rater: { ...(row["rater"] as Fields), id: Number((row["rater"] as Fields)["id"]) },
  }),
  listJobs: (row) => ({ ...without(row, ["rater_pool", "num_comparisons", "num_training"]), pool: 1 }),
  listExperiments: (row) => ({ ...without(row, ["type"]), version: 1 }),
};

const without = (row: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** A row of the newer interface as the older one would have sent it; rows that did not change stay. */
export function olderRow(text: string, operation: string | null): string {
  const older = olderShapes[operation ?? ""];
  return older === undefined ? text : JSON.stringify(older(JSON.parse(text) as Fields));
}
