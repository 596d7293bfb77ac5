import type { CommandModule } from "yargs";
import type { AuditLakeOptions, AuditSettings } from "../audit/index.js";
import { print } from "./console.js";
import { methodOf } from "./method.js";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./snapshot-options.js";

interface AuditArguments extends SnapshotArguments {
  pipeline: string | undefined;
  json: string | undefined;
  bundle: string | undefined;
  depth: number;
  rows: number;
}

/** Options of every command that audits a snapshot of the lake. */
export const auditOptions = {
  ...snapshotOptions,
  pipeline: { type: "string", describe: "Pipeline file whose conventions, tolerances and shapes are used" },
  depth: {
    type: "number",
    default: 2,
    describe: "Most conventions supposed at once when a difference is explained; 0 explains nothing",
  },
} as const;

/** What a pipeline file and the flags say about the audit. */
export async function auditSettings(
  args: Pick<AuditArguments, "pipeline" | "snapshot" | "depth">,
): Promise<AuditSettings & Pick<AuditLakeOptions, "snapshot">> {
  const { defaultLimits, readTolerances } = await import("../audit/index.js");
  const { conventionsWith } = await import("../metrics/index.js");
  const pipeline = await methodOf(args.pipeline);
  return {
    conventions: conventionsWith(pipeline.conventions ?? {}),
    tolerances: readTolerances(pipeline.tolerances ?? {}),
    shapes: pipeline.score_shapes ?? {},
    records: pipeline.record_shapes ?? {},
    limits: args.depth < 1 ? null : { ...defaultLimits, depth: args.depth },
    ...(args.snapshot === undefined ? {} : { snapshot: args.snapshot }),
  };
}

export const auditCommand: CommandModule<object, AuditArguments> = {
  command: "audit",
  describe: "Compare every published number of a snapshot with the recomputed one",
  builder: (yargs) =>
    yargs
      .options(auditOptions)
      .option("json", { type: "string", describe: "Write the whole audit to this file" })
      .option("bundle", {
        type: "string",
        describe: "Write an evidence bundle (ZIP) that `recount verify FILE` checks offline; it holds the ratings",
      })
      .option("rows", { type: "number", default: 20, describe: "Rows of the list of differences before it is cut" })
      .example("$0 audit --lake lake --json audit.json", "Audit the newest snapshot")
      .example("$0 audit --lake lake --bundle evidence.zip", "Pack what a third party needs to check it"),
  handler: async (args) => {
    const { auditExitCode, auditJson, auditLake, writeBundle } = await import("../audit/index.js");
    const { renderAudit } = await import("../report/index.js");
    const { writeDurably } = await import("../platform/index.js");
    const project = await projectOf(args);
    const settings = await auditSettings(args);
    const audit = await auditLake(args.lake, project, { ...settings, models: "audited" });
    const { report } = audit;
    audit.warehouse.close();
    print(renderAudit(report, { rows: args.rows }));
    if (args.json !== undefined) {
      await writeDurably(args.json, auditJson(report));
      print(`Wrote ${args.json}`);
    }
    if (args.bundle !== undefined) {
      await writeBundle(args.bundle, audit, settings);
      print(`Wrote ${args.bundle}`);
    }
    process.exitCode = auditExitCode(report.summary, report.correctness);
  },
};
