/** `recount snapshots`: lists or prunes the snapshots of a lake. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import { UsageError } from "../platform/index.js";
import { print } from "./console.js";
import { jsonOption, keepOptions, projectOf, retentionFlags, snapshotOptions } from "./flags.js";

const options = {
  lake: snapshotOptions.lake,
  project: snapshotOptions.project,
  ...keepOptions,
  "dry-run": { type: "boolean", default: false, describe: "Print what would be removed" },
  ...jsonOption,
} as const;

type SnapshotsArguments = InferredOptionTypes<typeof options> & { action: "list" | "prune" };

export const command: CommandModule<object, SnapshotsArguments> = {
  command: "snapshots <action>",
  describe: "List the snapshots of a lake with their sizes, or remove old ones",
  builder: (yargs) =>
    yargs
      .positional("action", {
        choices: ["list", "prune"] as const,
        demandOption: true,
        describe: "What to do",
      })
      .options(options)
      .example("recount snapshots list --lake lake", "List the snapshots of a lake")
      .example(
        "recount snapshots prune --keep-last 7 --keep-daily 30 --dry-run",
        "Show what keeping the newest seven and one a day for thirty days would remove",
      ),
  handler: async (args) => {
    const project = await projectOf(args);
    const { value, text } = await actions[args.action](project, args);
    print(args.json ? JSON.stringify(value, null, 2) : text);
  },
};

interface ActionResult {
  readonly value: unknown;
  readonly text: string;
}

const noSnapshot = (lake: string, project: string) =>
  new UsageError(
    `${lake}: no snapshot of ${project} in this lake. Run \`recount export\` first, or pass ` +
      "--lake.",
  );

const actions: Record<
  SnapshotsArguments["action"],
  (project: string, args: SnapshotsArguments) => Promise<ActionResult>
> = {
  async list(project, { lake }) {
    const { summariseSnapshots } = await import("../lake/index.js");
    const { renderSnapshots } = await import("../report/index.js");
    const value = await summariseSnapshots(lake, project);
    if (value.length === 0) throw noSnapshot(lake, project);
    return { value, text: renderSnapshots(value) };
  },
  async prune(project, args) {
    const { lake, "dry-run": isDryRun } = args;
    const { listSnapshots, pruneSnapshots } = await import("../lake/index.js");
    const { pruningText } = await import("../report/index.js");
    const retention = retentionFlags(args);
    if (retention === null)
      throw new UsageError(
        "prune needs at least one of --keep-last, --keep-daily, --keep-monthly and --keep-yearly.",
      );
    if ((await listSnapshots(lake, project)).length === 0) throw noSnapshot(lake, project);
    const value = await pruneSnapshots(lake, project, retention, { isDryRun });
    return { value, text: pruningText(value, isDryRun) };
  },
};
