import { join } from "node:path";
import { layoutOf, openSnapshot } from "../src/lake/index.js";
import { serveBody } from "./export.js";
import { recount, runNode } from "./whole-process.js";

/** What a benchmark's lake holds: generated pairwise experiments of 50 items, their ratings divided equally. */
export interface Shape {
  /** In all experiments together; two for each comparison. */
  readonly ratings: number;
  /** Default: one. */
  readonly experiments?: number;
}

/** A lake of the only project `project`. */
export interface ExportedLake {
  readonly project: string;
  /** Folder of its snapshot. */
  readonly snapshot: string;
}

/**
 * Exports a study with the built command, as a project does: ratings with metas, slates with their ratings, sessions, raters,
 * and the results of three kinds, which agree with what Recount computes.
 */
export async function exportLake(lake: string, { ratings, experiments = 1 }: Shape): Promise<ExportedLake> {
  const project = `p${experiments}`;
  const { child, url } = await serveBody(ratings / experiments, "study");
  try {
    await exportFrom(url, lake, project);
  } finally {
    child.kill("SIGTERM");
  }
  const { id } = await openSnapshot(lake, project);
  return { project, snapshot: join(lake, layoutOf(project).snapshots, id) };
}

/** Exports a project of a service of `serveBody` with the built command. */
export async function exportFrom(url: string, lake: string, project: string): Promise<void> {
  const args = ["export", "--base-url", url, "--project", project, "--lake", lake, "--quiet"];
  await runNode([recount, ...args], lake, { RECOUNT_API_KEY: "benchkey.0123456789abcdefghijklmnopqrstuv" });
}
