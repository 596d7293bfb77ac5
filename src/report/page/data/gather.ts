import { attentionOf, type LakeAudit } from "../../../audit/index.js";
import type { Conventions } from "../../../metrics/index.js";
import { version } from "../../../platform/index.js";
import { limits } from "../limits.js";
import { boardsOf } from "./boards.js";
import { readGlossary } from "./glossary.js";
import { historiesOf } from "./histories.js";
import { pairTablesOf } from "./pairs.js";
import { partTablesOf } from "./parts.js";
import { populationsOf } from "./populations.js";
import { ratersOf } from "./raters.js";
import type { ChangeData, ExperimentData, ExperimentDetails, ReportData } from "./report-data.js";
import { grouped } from "./rows.js";
import { scoreTablesOf } from "./scores.js";
import { checksOf, tablesOf } from "./snapshot.js";

/** Collects what the page shows. The warehouse of the audit must hold every model. */
export async function gatherReport(
  { snapshot, warehouse, recomputed, report }: LakeAudit,
  conventions: Conventions,
  changes: ChangeData | null,
): Promise<ReportData> {
  const { manifest } = snapshot;
  const populationOf = await populationsOf(warehouse);
  const ownRows = grouped(report.rows, (row) => row.experiment_id);
  const experiments = manifest.experiments
    .map(({ id, name, type, state, reason }): ExperimentData => {
      const rows = ownRows(id);
      return {
        ...{ id, type, state, reason },
        name: name || id,
        attention: rows.reduce((most, { verdict }) => Math.max(most, attentionOf(verdict)), 0),
        numbers: rows.length,
        population: populationOf(id),
        details: null,
      };
    })
    .toSorted((a, b) => b.attention - a.attention || Number(b.numbers > 0) - Number(a.numbers > 0));
  const ids = experiments.slice(0, limits.experiments).map(({ id }) => id);
  const boards = await boardsOf(warehouse, report, conventions, ids);
  const parts = partTablesOf(report);
  const pairs = await pairTablesOf(warehouse, ids);
  const scores = await scoreTablesOf(warehouse, ids);
  const raters = await ratersOf(warehouse, ids);
  const details = new Map<string, ExperimentDetails>();
  for (const id of ids) {
    const histories = await historiesOf(warehouse, id, conventions.elo);
    const own = { boards: boards(id), parts: parts(id, boards(id)), pairs: pairs(id), scores: scores(id), histories };
    details.set(id, { ...own, ...raters(id) });
  }
  return {
    project: manifest.project_id,
    version,
    service: manifest.service,
    manifestDigest: snapshot.manifestDigest,
    audit: report,
    conventions,
    experiments: experiments.map((each) => ({ ...each, details: details.get(each.id) ?? null })),
    checks: await checksOf(recomputed),
    tables: tablesOf(manifest),
    changes,
    glossary: await readGlossary(),
  };
}
