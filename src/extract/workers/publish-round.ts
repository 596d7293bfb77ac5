import pLimit from "p-limit";
import {
  areIntact,
  bodyKey,
  layoutOf,
  namedKeys,
  publish,
  runsOf,
  type LakeStore,
  type Manifest,
  type RawBody,
  type Unit,
} from "../../lake/index.js";
import { ExportError, messageOf } from "../../platform/index.js";
import { keepsRaw } from "../context.js";
import { makeManifest, reportOf } from "../make-manifest.js";
import type { ExportReport } from "../options.js";
import { bodiesOf, readClosing } from "../read/index.js";
import { keyOfExperiment, projectKey, readKept, type Kept, type KeptExperiment, type KeptOpening } from "./records.js";
import { withRun, type Share } from "./run.js";

/** Requests to the store at once. */
const concurrency = 16;

/** Each request once: two shares can ask for the numbers of one source, which belong to the project. */
function eachOnce(units: readonly Unit[]): Unit[] {
  const seen = new Map<string, Unit>();
  for (const unit of units) {
    const request = JSON.stringify([unit.operation, unit.experiment_id, unit.parameters]);
    seen.set(request, seen.get(request) ?? unit);
  }
  return [...seen.values()];
}

/** The kept bodies of units, each once, except those that one of the shares found secrets in. */
function bodiesFor(units: readonly Unit[], raw: readonly RawBody[]): RawBody[] {
  const received = new Set(units.map(({ body }) => body?.sha256));
  for (const { body, is_withheld } of units) if (is_withheld) received.delete(body?.sha256);
  const kept = new Map(raw.toReversed().map((one) => [one.body, one]));
  return [...kept.values()].filter(({ body }) => received.has(body)).toSorted((a, b) => (a.body < b.body ? -1 : 1));
}

/** @throws ExportError if a file that a run of the round has written is gone or another one */
async function checkFiles(store: LakeStore, { project_id, units, raw = [] }: Manifest, runs: readonly string[]) {
  const isOwn = ({ snapshot = "" }: Pick<RawBody, "snapshot">) => runs.includes(snapshot);
  const { staging } = layoutOf(project_id);
  const isHere = [
    ...units.flatMap(({ parts }) => parts.filter(isOwn)).map((part) => () => areIntact(store, `${staging}/-`, [part])),
    ...raw.filter(isOwn).map((one) => () => store.holds(bodyKey(project_id, one), one.sha256)),
  ];
  const found = await pLimit(concurrency).map(isHere, (look) => look());
  const missing = found.filter((is) => !is).length;
  if (missing > 0)
    throw new ExportError(
      `${missing} files that workers had finished are gone from the lake. Start another round with --round. Nothing was published.`,
    );
}

/** Reads what has to be read last, and publishes what all workers have read. The caller holds the project's lock. */
export async function publishRound(share: Share, opening: KeptOpening, started: number): Promise<ExportReport> {
  const { store, round, options, effects } = share;
  const { snapshots } = layoutOf(options.projectId);
  return withRun(share, async ({ context }) => {
    const project = await readKept<Kept>(store, projectKey(round));
    const experiments = await pLimit(concurrency).map(opening.chosen, ({ id }) =>
      readKept<KeptExperiment>(store, keyOfExperiment(round, id)),
    );
    const read = await readClosing(context, opening, project.units, experiments);
    const units = eachOnce(read.units);
    const keep = async () => {
      const own = await context.raw.kept(bodiesOf(units));
      return bodiesFor(
        units,
        [opening, project, ...experiments, { raw: own }].flatMap(({ raw }) => raw),
      );
    };
    const described = { experiments: read.experiments, units };
    const manifest = await makeManifest(context, options, started, described, async () =>
      keepsRaw(options) ? keep() : undefined,
    );
    const runs = await runsOf(store, round.folder);
    const others = runs.filter((id) => id !== manifest.snapshot);
    await checkFiles(store, manifest, others);
    const dir = store.locate(await publish(store, context.checkpoint.staged, manifest));
    const named = new Set(namedKeys(options.projectId, manifest));
    for (const id of others)
      await store.retract(`${snapshots}/${id}`, named).catch((error: unknown) => {
        effects.log.warn(
          `Files of ${id} that nothing needs are still there: ${messageOf(error)}. A pruning removes them.`,
        );
      });
    const received = units.reduce((sum, { status, body }) => sum + (status === 200 ? (body?.bytes ?? 0) : 0), 0);
    return reportOf(manifest, dir, received);
  });
}
