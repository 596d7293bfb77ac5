/** `recount export`: exports a project into a new snapshot. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import type { TableName } from "../contract/index.js";
import { choices, settings } from "../platform/index.js";
import {
  connectionOf,
  connectionOptions,
  projectId,
  pseudonymOptions,
  pseudonymsOf,
  retryOption,
} from "./connection.js";
import { logOptions } from "./console.js";
import { concludeExport, exporting } from "./display.js";
import { choiceFor, flagFor, lakeOption } from "./flags.js";

const exportOptions = (tableNames: readonly TableName[]) =>
  ({
    ...connectionOptions,
    ...lakeOption,
    ...logOptions,
    id: {
      type: "string",
      array: true,
      default: [],
      describe: "Export only these experiments, by identifier",
    },
    name: {
      type: "string",
      array: true,
      default: [],
      describe: "Export only experiments whose name matches this glob",
    },
    type: {
      type: "string",
      array: true,
      default: [],
      describe: "Export only experiments of this type",
    },
    table: {
      choices: tableNames,
      array: true,
      describe: "Export only these tables [default: all except job_costs]",
    },
    concurrency: flagFor("concurrency", settings.concurrency),
    ...retryOption,
    raw: flagFor("raw", settings.keep_raw),
    sources: choiceFor(choices.sources),
    "mask-secrets": flagFor("mask-secrets", settings.mask_secrets),
    ...pseudonymOptions,
    resume: {
      type: "boolean",
      default: false,
      describe: "Resume an interrupted export: keep the experiments that it read completely",
    },
    "max-shrink": flagFor("max-shrink", settings.max_shrink),
    "allow-shrink": flagFor("allow-shrink", settings.allow_shrink),
    organization: {
      type: "string",
      describe: "Export the billing events of this organization (with --billing)",
    },
    billing: { type: "string", describe: "Billing account of the organization" },
  }) as const;

type ExportArguments = InferredOptionTypes<ReturnType<typeof exportOptions>>;

export const command: CommandModule<object, ExportArguments> = {
  command: "export",
  describe: "Export a project into a new snapshot of the lake",
  builder: async (yargs) => {
    const { tableNames } = await import("../contract/index.js");
    return yargs
      .options(exportOptions(tableNames))
      .group(Object.keys(connectionOptions), "Service:")
      .group(["id", "name", "type", "table", "sources", "organization", "billing"], "Selection:")
      .group(["raw", "mask-secrets", ...Object.keys(pseudonymOptions)], "Privacy:")
      .group(
        ["max-shrink", "allow-shrink", "resume", "concurrency", "retry-for"],
        "Safety and speed:",
      )
      .implies({ organization: "billing", billing: "organization" })
      .example(
        "recount export --base-url http://127.0.0.1:8080 --project Listen42 --lake lake",
        "Needs RECOUNT_API_KEY",
      );
  },
  handler: async (args) => {
    const { exportSnapshot } = await import("../extract/index.js");
    const connection = await connectionOf(args);
    const pseudonyms = args.pseudonymise
      ? await pseudonymsOf(args["pseudonym-key-file"])
      : undefined;
    const project = projectId(args);
    await exporting(args, project, connection, async ({ client, log, onProgress, stop }) => {
      const options = {
        client,
        projectId: project,
        lake: args.lake,
        selection: { ids: args.id, names: args.name, types: args.type },
        ...(args.table ? { tables: args.table } : {}),
        concurrency: args.concurrency,
        keepRaw: args.raw,
        sources: args.sources,
        maskSecrets: args["mask-secrets"],
        pseudonyms,
        shrink: { max: args["max-shrink"], allow: args["allow-shrink"] },
        organization:
          args.organization !== undefined && args.billing !== undefined
            ? { organization_id: args.organization, billing_id: args.billing }
            : undefined,
        resume: args.resume,
      };
      const effects = { log, onProgress };
      const report = await exportSnapshot(options, effects);
      stop();
      await concludeExport(report, log, project);
    });
  },
};
