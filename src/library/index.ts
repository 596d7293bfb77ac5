/** Recount as a library (docs/reference/library.md). Functions load what they need. */
export type * from "./types.js";
import type { AuditLakeOptions, AuditReport } from "../audit/index.js";
import type { ExportReport } from "../extract/index.js";
import type {
  AuditedNumber,
  AuditResult,
  ExportRequest,
  ExportResult,
  ImportRequest,
  OpenSnapshot,
  QueryRow,
  RecomputeRequest,
  RecomputeResult,
  ReportResult,
  RobustnessRequest,
  SnapshotRequest,
} from "./types.js";

/** @throws UsageError for what the caller can mend, ExportError, InterruptedError */
export async function exportSnapshot(request: ExportRequest): Promise<ExportResult> {
  const { createClient } = await import("../client/index.js");
  const extract = await import("../extract/index.js");
  const {
    baseUrl,
    project,
    lake,
    experiments = [],
    concurrency,
    keepRaw,
    signal,
    credentials: given,
  } = request;
  const credentials =
    "apiKey" in given
      ? ({ scheme: "api-key", key: given.apiKey } as const)
      : "username" in given
        ? ({ scheme: "basic", ...given } as const)
        : ({ scheme: "cookie", sessionid: given.sessionId } as const);
  const client = createClient({ baseUrl, credentials, ...(signal && { signal }) });
  try {
    const report = await extract.exportSnapshot({
      client,
      projectId: project,
      lake,
      selection: { ...extract.everything, ids: experiments },
      ...(concurrency !== undefined && { concurrency }),
      ...(keepRaw !== undefined && { keepRaw }),
    });
    return exported(report);
  } finally {
    await client.close();
  }
}

const exported = ({ snapshot, dir, rows, quarantined, bytes, shortfalls }: ExportReport) => ({
  snapshot,
  folder: dir,
  rows,
  quarantined,
  bytes,
  shortfalls: shortfalls.map(({ message }) => message),
});

/** @throws UsageError for a mapping or files that do not fit it, ExportError, InterruptedError */
export async function importStudy(request: ImportRequest): Promise<ExportResult> {
  const { fromPack } = await import("../packs.js");
  const files = await fromPack("files")();
  const { lake, signal } = request;
  return exported(
    await files.importSnapshot(await files.readMapping(request.mapping), { lake }, { signal }),
  );
}

async function chosenMethod({ lake, project, pipeline }: SnapshotRequest) {
  const { chooseProject } = await import("../lake/index.js");
  const { readMethod } = await import("../pipeline/index.js");
  const projectId = await chooseProject(lake, project);
  return { projectId, method: await readMethod(pipeline, projectId, process.env) };
}

/** Close it afterwards. @throws UsageError */
export async function openSnapshot(request: SnapshotRequest): Promise<OpenSnapshot> {
  const { projectId, method } = await chosenMethod(request);
  const lake = await import("../lake/index.js");
  const { openQueryable } = await import("../pipeline/index.js");
  const { id, manifest } = await lake.readSnapshot(request.lake, projectId, request.snapshot, []);
  const warehouse = await openQueryable(request.lake, projectId, { snapshot: id, method });
  return {
    id,
    project: projectId,
    createdAt: manifest.created_at,
    experiments: manifest.experiments.map((experiment) => ({
      id: experiment.id,
      name: experiment.name,
    })),
    query: (sql) => warehouse.all(sql),
    close: () => warehouse.close(),
  };
}

export async function recompute(request: RecomputeRequest): Promise<RecomputeResult> {
  const { projectId, method } = await chosenMethod(request);
  const { transform } = await import("../pipeline/index.js");
  const { snapshot, dir, written, recomputed } = await transform(request.lake, projectId, {
    snapshot: request.snapshot,
    conventions: method.conventions,
    ...(request.models && { models: request.models }),
  });
  return {
    snapshot: snapshot.id,
    folder: dir,
    models: written.map(({ name }) => name),
    checks: recomputed.checks,
  };
}

export async function audit(request: SnapshotRequest): Promise<AuditResult> {
  const { audited } = await auditedLake(request);
  const { report } = audited;
  audited.close();
  const numbers = report.rows.map(
    ({
      experiment_id,
      kind,
      dimension,
      published_in,
      item,
      field,
      published,
      recomputed,
      verdict,
      explanation,
    }) =>
      ({
        experiment_id,
        kind,
        dimension,
        published_in,
        item,
        field,
        published,
        recomputed,
        verdict,
        explanation,
      }) satisfies AuditedNumber,
  );
  const exitCode = await exitCodeOf(report);
  return { snapshot: report.snapshot, exitCode, summary: report.summary, numbers };
}

export async function report(request: SnapshotRequest): Promise<ReportResult> {
  const { audited } = await auditedLake(request, { statistics: true });
  const { reportPage } = await import("../report/index.js");
  const { withoutSecrets } = await import("../platform/index.js");
  try {
    return {
      snapshot: audited.snapshot.id,
      exitCode: await exitCodeOf(audited.report),
      html: await reportPage(await audited.open(), withoutSecrets),
    };
  } finally {
    audited.close();
  }
}

/** @throws UsageError for an experiment that is not there */
export async function robustness(request: RobustnessRequest): Promise<QueryRow[]> {
  const snapshot = await openSnapshot(request);
  const { sqlText, UsageError } = await import("../platform/index.js");
  const { experiment, kind } = request;
  try {
    const named = ({ id, name }: OpenSnapshot["experiments"][number]) =>
      id === experiment || name === experiment;
    const own = snapshot.experiments.find(named)?.id;
    if (experiment !== undefined && own === undefined)
      throw new UsageError(`The snapshot has no experiment ${JSON.stringify(experiment)}.`);
    const chosen = [
      own !== undefined && `experiment_id = ${sqlText(own)}`,
      kind !== undefined && `kind = ${sqlText(kind)}`,
    ].filter((one) => one !== false);
    return await snapshot.query(
      `from robustness ${chosen.length === 0 ? "" : `where ${chosen.join(" and ")}`} order by all`,
    );
  } finally {
    snapshot.close();
  }
}

async function auditedLake(
  request: SnapshotRequest,
  more: Pick<AuditLakeOptions, "statistics"> = {},
) {
  const { projectId, method } = await chosenMethod(request);
  const { auditOnce, defaultLimits } = await import("../audit/index.js");
  const { snapshot } = request;
  const audited = await auditOnce(request.lake, projectId, {
    ...method,
    models: "audited",
    ...(snapshot !== undefined && { snapshot }),
    limits: defaultLimits,
    ...more,
  });
  return { audited, method };
}

async function exitCodeOf({ summary, correctness, shortfalls }: AuditReport) {
  const { auditExitCode } = await import("../audit/index.js");
  return auditExitCode(summary, correctness, shortfalls) as AuditResult["exitCode"];
}
