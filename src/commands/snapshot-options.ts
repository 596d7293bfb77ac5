import { UsageError } from "../platform/index.js";
import { lakeOption } from "./connection.js";

/** Flags of every command that reads a snapshot of the lake. */
export const snapshotOptions = {
  ...lakeOption,
  project: {
    type: "string",
    describe: "Project identifier [env RECOUNT_PROJECT_ID] [default: the only project of the lake]",
  },
  snapshot: { type: "string", describe: "Snapshot identifier [default: the newest]" },
} as const;

/** Flags of every command that reads the projects of a lake. */
export const projectsOptions = {
  ...lakeOption,
  project: { type: "string", describe: "Only this project [env RECOUNT_PROJECT_ID]" },
} as const;

export interface SnapshotArguments {
  lake: string;
  project: string | undefined;
  snapshot: string | undefined;
}

/** The project from the flag, else from the environment, else the only one of the lake. */
export async function projectOf({ lake, project }: Pick<SnapshotArguments, "lake" | "project">): Promise<string> {
  const { chooseProject } = await import("../lake/index.js");
  return chooseProject(lake, project ?? process.env.RECOUNT_PROJECT_ID);
}

/** The projects of a lake, or the one that is asked for. @throws UsageError when there is none. */
export async function projectsOf({
  lake,
  project = process.env.RECOUNT_PROJECT_ID,
}: Pick<SnapshotArguments, "lake" | "project">): Promise<string[]> {
  const { listProjects } = await import("../lake/index.js");
  const projects = (await listProjects(lake)).filter((one) => project === undefined || one === project);
  if (projects.length > 0) return projects;
  const of = project === undefined ? "" : ` of ${project}`;
  throw new UsageError(`${lake}: no snapshot${of} in this lake. Run \`recount export\` first, or pass --lake.`);
}
