import { lakeOption } from "./connection.js";

/** Flags of every command that reads a snapshot of the lake. */
export const snapshotOptions = {
  ...lakeOption,
  project: { type: "string", describe: "Project identifier [env RECOUNT_PROJECT_ID]; not needed where the lake holds one" },
  snapshot: { type: "string", describe: "Snapshot identifier; without it the newest" },
} as const;

export interface SnapshotArguments {
  lake: string;
  project: string | undefined;
  snapshot: string | undefined;
}
