import { lakeOption } from "./connection.js";

/** Flags of every command that reads a snapshot of the lake. */
export const snapshotOptions = {
  ...lakeOption,
  project: {
    type: "string",
    describe: "Project identifier [env RECOUNT_PROJECT_ID]; not needed where the lake holds one",
  },
  snapshot: { type: "string", describe: "Snapshot identifier; without it the newest" },
} as const;

export interface SnapshotArguments {
  lake: string;
  project: string | undefined;
  snapshot: string | undefined;
}

/** The project that a command reads: the flag's, the environment's, or the only one of the lake. */
export async function projectOf({ lake, project }: Pick<SnapshotArguments, "lake" | "project">): Promise<string> {
  const { chooseProject } = await import("../lake/index.js");
  return chooseProject(lake, project ?? process.env.RECOUNT_PROJECT_ID);
}
