/** A lake of many experiments in a moment: those of another, again and again under other names. */
import { copyFileSync, linkSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { layoutOf, readSnapshot } from "../../src/lake/index.js";
import { digestOf } from "../../src/platform/index.js";
import { plainRows } from "./plain-duckdb.js";
import { reseal } from "./reseal.js";

/** Parts are links to those of `lake`; only the list of experiments is written. To be removed. */
export async function repeatedLake(lake: string, project: string, times: number): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "recount-lake-"));
  const { id, manifest } = await readSnapshot(lake, project);
  const { snapshots, current } = layoutOf(project);
  const [from, to] = [lake, copy].map((own) => join(own, snapshots, id)) as [string, string];
  const listed = join(to, "experiments.parquet");
  const turns = Array.from({ length: times }, (_, i) => (i === 0 ? "" : `-${i}`));
  mkdirSync(to, { recursive: true });
  copyFileSync(join(lake, current), join(copy, current));
  await plainRows(
    undefined,
    `copy (
      select e.* replace (e.id || turn as id, e.name || turn as name)
      from '${join(from, "experiments.parquet")}' as e, unnest([${turns.map((t) => `'${t}'`).join()}]) as t (turn)
      order by id
    ) to '${listed}' (format parquet, compression zstd)`,
    "select 1",
  );
  const units = await Promise.all(
    manifest.units.flatMap(({ experiment_id, ...unit }) =>
      (experiment_id === null ? [""] : turns).map(async (turn) => {
        const parts = unit.parts.map(async (part) => {
          const path = part.path.replace(/^experiment_id=[^/]+/, `$&${turn}`);
          const file = join(to, path);
          mkdirSync(dirname(file), { recursive: true });
          if (file === listed) {
            const rows = part.rows * times;
            return { ...part, rows, ...(await digestOf(file)) };
          }
          linkSync(join(from, part.path), file);
          return { ...part, path };
        });
        return {
          ...unit,
          experiment_id: experiment_id === null ? null : experiment_id + turn,
          ...(unit.operation === "listExperiments" && { elements: unit.elements * times }),
          parts: await Promise.all(parts),
        };
      }),
    ),
  );
  const experiments = turns.flatMap((turn) =>
    manifest.experiments.map((one) => ({ ...one, id: one.id + turn, name: `${one.name}${turn}` })),
  );
  const file = join(to, "manifest.json");
  copyFileSync(join(from, "manifest.json"), file);
  reseal(file, (own) => ({ ...own, experiments, units, raw: [], listings: [] }));
  return copy;
}
