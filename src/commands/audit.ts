/** `recount audit`, and the flags of every command that audits. */
import type { CommandModule } from "yargs";
import type { AuditLakeOptions, AuditSettings } from "../audit/index.js";
import type { OutputFiles } from "../pipeline/index.js";
import { withoutSecrets } from "../client/index.js";
import { messageOf, settings, UsageError } from "../platform/index.js";
import { conclude, consoleWidth, print, warn } from "./console.js";
import { engineOption, onEngine, type EngineArguments } from "./display.js";
import { pseudonymOptions, pseudonymsOf, type PseudonymArguments } from "./connection.js";
import { flagFor, fullOption, reading, snapshotOptions, type SnapshotArguments } from "./flags.js";

interface AuditArguments extends SnapshotArguments, PseudonymArguments, EngineArguments {
  full: boolean;
  rows: number;
  verbose: boolean;
  experiment: string | undefined;
  kind: string | undefined;
}

export const auditOptions = {
  ...snapshotOptions,
  pipeline: {
    type: "string",
    describe: "Pipeline file with conventions, tolerances, accepted conventions and shapes",
  },
} as const;

/** Settings from the flags and the pipeline file that they name. */
export async function auditSettings(
  args: Pick<AuditArguments, "pipeline" | "snapshot">,
  project: string,
): Promise<AuditSettings & Pick<AuditLakeOptions, "snapshot">> {
  const { readMethod } = await import("../pipeline/index.js");
  const { defaultLimits } = await import("../audit/index.js");
  return {
    ...(await readMethod(args.pipeline, project, process.env)),
    limits: defaultLimits,
    ...(args.snapshot === undefined ? {} : { snapshot: args.snapshot }),
  };
}

async function outputFlags() {
  const { outputNames, outputs } = await import("../pipeline/index.js");
  return outputNames.flatMap((name) => {
    const { flag, description } = outputs[name];
    return flag === null ? [] : [{ name, flag, description: description.replace(/\.$/, "") }];
  });
}

export const command: CommandModule<object, AuditArguments> = {
  command: "audit",
  describe: "Compare every published number of a snapshot with its recomputed value",
  builder: async (yargs) => {
    for (const { flag, description } of await outputFlags())
      yargs.option(flag, { type: "string", describe: description });
    return yargs
      .options({ ...auditOptions, ...engineOption, ...fullOption })
      .option("rows", flagFor("rows", settings.rows))
      .option("experiment", {
        type: "string",
        describe: "Show and judge only this experiment, by identifier or name",
      })
      .option("kind", { type: "string", describe: "Show and judge only numbers of this kind" })
      .option("verbose", {
        alias: "v",
        type: "boolean",
        default: false,
        describe: "Print all results and differences too",
      })
      .options(pseudonymOptions)
      .example("recount audit --lake lake --json audit.json", "Audit the newest snapshot")
      .example(
        "recount audit --lake lake --bundle evidence.zip",
        "Pack the evidence for a third party",
      );
  },
  handler: async (args) => {
    const { auditExitCode, auditOnce, partOfAudit } = await import("../audit/index.js");
    const { checkOutputs, keepVerdicts, writeOutputs } = await import("../pipeline/index.js");
    const { renderAudit, resultLine } = await import("../report/index.js");
    const given = args as Readonly<Record<string, unknown>>;
    const files: OutputFiles = Object.fromEntries(
      (await outputFlags()).map(({ name, flag }) => [name, given[flag]]),
    );
    const pseudonyms = args.pseudonymise
      ? await pseudonymsOf(args["pseudonym-key-file"])
      : undefined;
    if (pseudonyms !== undefined && files.bundle === undefined)
      throw new UsageError("--pseudonymise applies to the bundle: pass --bundle too.");
    const isPart = args.experiment !== undefined || args.kind !== undefined;
    if (isPart && files.bundle !== undefined)
      throw new UsageError(
        "--bundle holds the whole audit: leave out --experiment and --kind, or write it by itself.",
      );
    await checkOutputs(files);
    const report = await reading(args, async (project, snapshot) => {
      const settings = await auditSettings({ ...args, snapshot }, project);
      return onEngine(args, project, async (cluster) => {
        // A bundle has nothing that was computed before, and its report shows every model.
        const isBundled = files.bundle !== undefined;
        const whole = await auditOnce(args.lake, project, {
          ...settings,
          models: isBundled ? "all" : "audited",
          isFull: args.full || isBundled,
          cluster,
          warn,
        });
        try {
          await keepVerdicts(args.lake, whole, settings.conventions).catch((error: unknown) =>
            warn(`published_vs_recomputed in recount.duckdb is not updated: ${messageOf(error)}`),
          );
          const audited = { ...whole, report: await partOfAudit(whole.report, args) };
          print(
            renderAudit(audited.report, {
              rows: args.rows,
              isVerbose: args.verbose,
              width: consoleWidth(),
            }),
          );
          const results = {
            lake: args.lake,
            audited,
            settings,
            redact: withoutSecrets,
            pseudonyms,
          };
          for (const file of await writeOutputs(files, results)) print(`Wrote ${file}`);
          return audited.report;
        } finally {
          whole.close();
        }
      });
    });
    conclude(
      auditExitCode(report.summary, report.correctness, report.shortfalls),
      resultLine(report),
    );
  },
};
