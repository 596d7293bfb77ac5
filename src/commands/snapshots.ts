import type { CommandModule } from "yargs";
import { settings, UsageError } from "../platform/index.js";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./snapshot-options.js";
import { print } from "./console.js";
import { flagFor } from "./flags.js";

interface SnapshotsArguments extends Omit<SnapshotArguments, "snapshot"> {
  action: "list" | "diff" | "prune";
  ids: string[] | undefined;
  keep: number | undefined;
  json: boolean;
}

export const snapshotsCommand: CommandModule<object, SnapshotsArguments> = {
  command: "snapshots <action> [ids..]",
  describe: "List the snapshots of a lake, compare two, or remove old ones",
  builder: (yargs) =>
    yargs
      .positional("action", { choices: ["list", "diff", "prune"] as const, demandOption: true, describe: "Action" })
      .positional("ids", {
        type: "string",
        array: true,
        describe: "Two snapshots to compare with diff [default: the newest two]",
      })
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
  async diff(project, { lake, ids = [] }) {
    const { diffManifests, listSnapshots, readManifest } = await import("../lake/index.js");
    const { renderDifference } = await import("../report/index.js");
    const [before, after] = ids.length === 0 ? (await listSnapshots(lake, project)).slice(-2) : ids;
    if (before === undefined || after === undefined || ids.length > 2)
      throw new UsageError("diff needs two snapshots: name both, or export a second one.");
    const value = diffManifests(await readManifest(lake, project, before), await readManifest(lake, project, after));
    return { value, text: renderDifference(value) };
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
