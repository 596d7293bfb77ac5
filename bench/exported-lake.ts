import { join } from "node:path";
import { layoutOf, readSnapshot } from "../src/lake/index.js";
import { serveBody } from "./export.js";
import { inFolder, medianOf, recount, runNode, type Used } from "./whole-process.js";

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
export async function exportLake(
  lake: string,
  { ratings, experiments = 1 }: Shape,
): Promise<ExportedLake> {
  const project = `p${experiments}`;
  const { child, url } = await serveBody(ratings / experiments, "study");
  try {
    await exportFrom(url, lake, project);
  } finally {
    child.kill("SIGTERM");
  }
  const { id } = await readSnapshot(lake, project);
  return { project, snapshot: join(lake, layoutOf(project).snapshots, id) };
}

/** Exports a project of a service of `serveBody` with the built command. */
export function exportFrom(url: string, lake: string, project: string): Promise<Used> {
  const args = ["export", "--base-url", url, "--project", project, "--lake", lake, "--quiet"];
  return runNode([recount, ...args], lake, {
    RECOUNT_API_KEY: "benchkey.0123456789abcdefghijklmnopqrstuv",
  });
}

/** A whole night, as the sum of three commands: a study is exported for the first time, computed and audited. */
export async function measureNight(ratings: number, rounds: number): Promise<Used | null> {
  const nights: Used[] = [];
  const { child, url } = await serveBody(ratings, "study");
  try {
    for (let round = 0; round < rounds; round++)
      await inFolder(async (lake) => {
        const steps = [await exportFrom(url, lake, "p1")];
        for (const step of ["transform", "audit"])
          steps.push(await runNode([recount, step, "--lake", lake, "--project", "p1"], lake));
        const sum = (key: keyof Used) => steps.reduce((all, one) => all + one[key], 0);
        nights.push({
          seconds: sum("seconds"),
          cpuSeconds: sum("cpuSeconds"),
          peakMb: Math.max(...steps.map(({ peakMb }) => peakMb)),
        });
      });
  } finally {
    child.kill("SIGTERM");
  }
  return medianOf(nights);
}
