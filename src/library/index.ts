/** Recount as a library (docs/reference/library.md). Functions load what they need. */
export type * from "./types.js";
import type { AuditLakeOptions, AuditReport, KeptAudit } from "../audit/index.js";
import type { ExportReport } from "../extract/index.js";
import type { Method } from "../pipeline/index.js";
import type {
  AuditResult,
  DiffRequest,
  DiffResult,
  ExplainRequest,
  ExplainedNumbers,
  ExportRequest,
  ExportResult,
  ImportRequest,
  OpenSnapshot,
  RecomputeRequest,
  RecomputeResult,
  ReportResult,
  SnapshotRequest,
  VerifyRequest,
  VerifyResult,
} from "./types.js";

/** @throws UsageError, ExportError, InterruptedError */
export async function exportSnapshot(request: ExportRequest): Promise<ExportResult> {
  const { createClient } = await import("../client/index.js");
  const extract = await import("../extract/index.js");
  const { baseUrl, project, experiments = [], signal, credentials: given, ...settings } = request;
  const credentials =
    "apiKey" in given
      ? ({ scheme: "api-key", key: given.apiKey } as const)
      : "username" in given
        ? ({ scheme: "basic", ...given } as const)
        : ({ scheme: "cookie", sessionid: given.sessionId } as const);
  const client = createClient({ baseUrl, credentials, ...(signal && { signal }) });
  try {
    const report = await extract.exportSnapshot({
      ...settings,
      client,
      projectId: project,
      selection: { ...extract.everything, ids: experiments },
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

/** @throws UsageError, ExportError, InterruptedError */
export async function importStudy(request: ImportRequest): Promise<ExportResult> {
  const { fromPack } = await import("../packs.js");
  const files = await fromPack("files")();
  const { lake, signal } = request;
  return exported(
    await files.importSnapshot(await files.readMapping(request.mapping), { lake }, { signal }),
  );
}

async function chosenMethod({ lake, project, pipeline, conventions = {} }: SnapshotRequest) {
  const { chooseProject } = await import("../lake/index.js");
  const { readMethod, withConventions } = await import("../pipeline/index.js");
  const projectId = await chooseProject(lake, project);
  const method = await readMethod(pipeline, projectId, process.env);
  const stated = await withConventions(
    method.conventions,
    "The request",
    JSON.stringify({ conventions }),
  );
  return { projectId, method: { ...method, conventions: stated } };
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
    experiments: manifest.experiments.map(({ id: own, name }) => ({ id: own, name })),
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

export const audit = (request: SnapshotRequest): Promise<AuditResult> =>
  audited(request, ({ report }) => resultOf(report), { models: "audited" });

/** @throws UsageError */
export const explain = (request: ExplainRequest): Promise<ExplainedNumbers> =>
  audited(request, async ({ report, open }, { conventions }) => {
    const { countVerdicts, traceNumbers } = await import("../audit/index.js");
    const { renderTrace } = await import("../report/index.js");
    const { warehouse } = await open();
    const trace = await traceNumbers(warehouse, report, conventions, request);
    const rows = trace.parts.flatMap((part) => part.rows);
    const { snapshot } = report;
    const result = await resultOf({ snapshot, rows, summary: countVerdicts(rows) });
    return { ...result, text: renderTrace(trace, rows.length) };
  });

export const report = (request: SnapshotRequest): Promise<ReportResult> =>
  audited(
    request,
    async ({ report, open }) => {
      const { reportPage } = await import("../report/index.js");
      const { withoutSecrets } = await import("../client/index.js");
      const { snapshot, exitCode } = await resultOf(report);
      return { snapshot, exitCode, html: await reportPage(await open(), withoutSecrets) };
    },
    { models: "audited", statistics: true },
  );

async function audited<T>(
  request: SnapshotRequest,
  work: (kept: KeptAudit, method: Method) => Promise<T>,
  more: Pick<AuditLakeOptions, "models" | "statistics"> = {},
): Promise<T> {
  const { projectId, method } = await chosenMethod(request);
  const { auditOnce, defaultLimits } = await import("../audit/index.js");
  const { snapshot } = request;
  const kept = await auditOnce(request.lake, projectId, {
    ...method,
    ...(snapshot !== undefined && { snapshot }),
    limits: defaultLimits,
    ...more,
  });
  try {
    return await work(kept, method);
  } finally {
    kept.close();
  }
}

async function resultOf({
  snapshot,
  rows,
  summary,
  correctness,
  shortfalls,
}: Pick<AuditReport, "snapshot" | "rows" | "summary"> & Partial<AuditReport>) {
  const { auditExitCode } = await import("../audit/index.js");
  const exitCode = auditExitCode(summary, correctness, shortfalls) as AuditResult["exitCode"];
  return { snapshot, exitCode, summary, numbers: rows };
}

/** @throws UsageError */
export async function diff({ before, after, ...request }: DiffRequest): Promise<DiffResult> {
  const { projectId, method } = await chosenMethod(request);
  const { diffSnapshots } = await import("../changes/index.js");
  return diffSnapshots(request.lake, projectId, { ...method, before, after });
}

/** @throws UsageError */
export async function verify(request: VerifyRequest): Promise<VerifyResult> {
  if ("bundle" in request) {
    const { verifyBundle } = await import("../audit/index.js");
    const { problems, report } = await verifyBundle(request.bundle);
    if (problems.length > 0 || report === null) return { exitCode: 3, problems };
    return checked(report.shortfalls.filter(({ kind }) => kind === "checks"));
  }
  const { chooseProject, failedChecks, readSnapshot, verifyProject } =
    await import("../lake/index.js");
  const project = await chooseProject(request.lake, request.project);
  const { problems } = await verifyProject(request.lake, project, request.snapshot);
  if (problems.length > 0)
    return { exitCode: 3, problems: problems.map(({ file, problem }) => `${file}: ${problem}`) };
  const read = await readSnapshot(request.lake, project, request.snapshot);
  const { checkTables } = await import("../warehouse/index.js");
  const checks =
    read.manifest.checks ?? (await checkTables({ sources: read.tables, bytes: read.bytes }));
  return checked(failedChecks(checks));
}

const checked = (failed: readonly { readonly message: string }[]): VerifyResult => ({
  exitCode: failed.length > 0 ? 2 : 0,
  problems: failed.map(({ message }) => message),
});
