import type { CommandModule } from "yargs";
import { settings, UsageError } from "../platform/index.js";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./snapshot-options.js";
import { print } from "./console.js";
import { flagFor } from "./flags.js";

interface SnapshotsArguments extends Omit<SnapshotArguments, "snapshot"> {
  action: "list" | "prune";
  keep: number | undefined;
  json: boolean;
}

export const snapshotsCommand: CommandModule<object, SnapshotsArguments> = {
  command: "snapshots <action>",
  describe: "List the snapshots of a lake, or remove old ones",
  builder: (yargs) =>
    yargs
      .positional("action", { choices: ["list", "prune"] as const, demandOption: true, describe: "Action" })
      .options({ lake: snapshotOptions.lake, project: snapshotOptions.project })
      .option("keep", flagFor("keep", settings.keep_snapshots))
      .option("json", { type: "boolean", default: false, describe: "Print JSON" })
      .example("$0 snapshots list --lake lake", "List the snapshots of a lake")
      .example("$0 snapshots prune --keep 30 --lake lake", "Keep the newest thirty"),
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
  new UsageError(`${lake}: no snapshot of ${project} in this lake. Run \`recount export\` first, or pass --lake.`);

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
  async prune(project, { lake, keep }) {
    const { listSnapshots, pruneSnapshots } = await import("../lake/index.js");
    if (keep === undefined) throw new UsageError("prune needs --keep, the number of newest snapshots to keep.");
    if ((await listSnapshots(lake, project)).length === 0) throw noSnapshot(lake, project);
    const value = await pruneSnapshots(lake, project, keep);
    const what =
      value.removed.length + value.raw_removed === 0
        ? "Nothing to remove"
        : `Removed ${value.removed.join(", ") || "no snapshot"} and ${value.raw_removed} raw ${value.raw_removed === 1 ? "body" : "bodies"}`;
    return { value, text: `${what}; ${value.kept.length} kept.` };
  },
};
