/** Checks what a run of a project needs, before it runs. */
import { dirname } from "node:path";
import { createClient } from "../client/index.js";
import { defaultTables } from "../contract/index.js";
import { select } from "../extract/index.js";
import { currentSnapshot, readManifest, openStore } from "../lake/index.js";
import {
  counted,
  didYouMean,
  ExportError,
  freeBytes,
  fs,
  fsp,
  namedProject,
  UsageError,
  writableFolder,
  type ExitCode,
  textOrNull,
  firstFew,
} from "../platform/index.js";
import { fromPack } from "../packs.js";
import { byteText } from "../report/index.js";
import { sparkVersion } from "../warehouse/index.js";
import { mappingOf } from "./export-and-audit.js";
import type { RunContext } from "./run-pipeline.js";
import type { Settings } from "./settings.js";

export interface Check {
  /** Null: the pipeline file as a whole. */
  readonly project: string | null;
  readonly name: string;
  /** The exit code with which a run would end over it; 0 if it is there. */
  readonly exit_code: ExitCode;
  readonly detail: string;
}

type CheckContext = Pick<RunContext, "connect" | "failureOf" | "signal">;

/** Says what is there now: it does not wait for the end of an outage. */
const checkedFor = { totalMs: 5_000 };

type RemoteElement = Readonly<Record<string, unknown>>;

const isElementList = (value: unknown): value is readonly RemoteElement[] =>
  Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null);

type Listed = ReturnType<typeof listedExperiment>;
const listedExperiment = ({ id, name, type }: RemoteElement) => ({
  id: textOrNull(id),
  name: textOrNull(name) ?? "",
  type: textOrNull(type),
});

async function lastExport({ lake, project }: Settings) {
  const id = project === undefined ? null : await currentSnapshot(lake, project);
  if (project === undefined || id === null) return null;
  const { units } = await readManifest(lake, project, id);
  const bytes = units.reduce((sum, { body }) => sum + (body?.bytes ?? 0), 0);
  return { id, requests: units.length, bytes };
}

/** Copies of the bodies for which there must be room: received, kept, and parts and models. */
const roomFor = 3;

/** Locks, a manifest, models and their database. */
const leastRoom = 32 * 2 ** 20;

/** Null if there is room for a run that receives these bytes. */
export function roomProblem(folder: string, free: number, exportedBytes: number): string | null {
  const needed = leastRoom + roomFor * exportedBytes;
  if (free >= needed) return null;
  return (
    `${folder} has ${byteText(free)} free, and a run may need ${byteText(needed)}. Free some ` +
    "space."
  );
}

async function checkLake(lake: string, exportedBytes: number): Promise<string> {
  const store = await openStore(lake);
  await store.entries("");
  const folder = await writableFolder(store.spool);
  const free = await freeBytes(folder);
  const problem = roomProblem(folder, free, exportedBytes);
  if (problem !== null) throw new ExportError(problem);
  const place = store.spool === lake ? lake : `${lake} can be read and ${store.spool}`;
  return `${place} can be written, ${byteText(free)} free`;
}

async function checkOutputFile(file: string): Promise<void> {
  const stats = await fsp.stat(file).catch(() => null);
  if (stats?.isDirectory()) throw new UsageError(`${file} is a folder. Name a file in it.`);
  if (stats === null || stats.isFile()) await writableFolder(dirname(file));
  else await fsp.access(file, fs.constants.W_OK);
}

/** Asks the service for its list of experiments, and writes nothing. */
export async function checkProject(
  settings: Settings,
  { connect, failureOf, signal }: CheckContext,
): Promise<Check[]> {
  const { project, selection, tables = defaultTables } = settings;
  const checks: Check[] = [];
  const add = (name: string, exit_code: ExitCode, detail: string) =>
    checks.push({ project: project ?? null, name, exit_code, detail });
  const check = async <T>(
    name: string,
    look: () => Promise<readonly [detail: string, found?: T]>,
  ): Promise<T | null> => {
    try {
      const [detail, found] = await look();
      add(name, 0, detail);
      return found ?? null;
    } catch (error) {
      const { line, exitCode } = failureOf(error);
      add(name, exitCode, line);
      return null;
    }
  };
  const experiments = settings.mapping === undefined ? await checkService() : await checkFiles();
  if (experiments && settings.accept.length > 0)
    await check("accept", () => {
      const names = experiments.flatMap(({ id, name }) => [name, id ?? ""]);
      const odd = settings.accept.find(
        ({ experiment }) => experiment !== "*" && !names.includes(experiment),
      );
      if (odd === undefined)
        return Promise.resolve([counted(settings.accept.length, "convention")]);
      const { experiment } = odd;
      const near = didYouMean(experiment, names);
      throw new UsageError(
        `accept names the experiment ${experiment}, which the project does not have.${near}`,
      );
    });
  const last = await check("estimate", async () => {
    const found = await lastExport(settings);
    if (found === null) return ["no snapshot of the project yet to estimate from"];
    const { id, requests, bytes } = found;
    return [`${counted(requests, "request")} and ${byteText(bytes)}, as in snapshot ${id}`, found];
  });
  await check("lake", async () => [await checkLake(settings.lake, last?.bytes ?? 0)]);
  const { spark } = settings;
  if (spark !== null)
    await check("engine", async () => {
      const version = await sparkVersion(spark);
      return [`Spark ${version} answers at ${spark.host}:${spark.port}`];
    });
  const files = Object.values(settings.outputs).flatMap((file) => file ?? []);
  await check("outputs", async () => {
    for (const file of files) await checkOutputFile(file);
    return [files.length === 0 ? "none" : `${counted(files.length, "file")} can be written`];
  });
  return checks;

  function checkFiles(): Promise<readonly Listed[] | null> {
    return check("files", async () => {
      const mapping = await mappingOf(settings, project);
      const { id, name = id, type = null } = mapping.study;
      const sources = await (await fromPack("files")()).sourceFiles(mapping);
      return [`${counted(sources.length, "file")} of the study ${id}`, [{ id, name, type }]];
    });
  }

  async function checkService(): Promise<readonly Listed[] | null> {
    const connection = await check("credentials", async () => {
      const found = await connect(settings);
      return [`an address and a key for ${found.baseUrl}`, found];
    });
    const remote =
      connection &&
      (await check("service", async () => {
        const project_id = namedProject(project);
        const client = createClient({
          ...connection,
          retry: checkedFor,
          ...(signal ? { signal } : {}),
        });
        const found: unknown = await client
          .listExperiments({ project_id })
          .finally(() => client.close());
        if (!isElementList(found))
          throw new ExportError("listExperiments: the answer is not a list of experiments.");
        return [`it answers, and the key may list ${counted(found.length, "experiment")}`, found];
      }));
    const listing = remote?.map(listedExperiment) ?? null;
    if (listing)
      await check("selection", async () => {
        const chosen = select(listing, selection).map(({ name }) => name);
        const what =
          `${chosen.length} of ${counted(listing.length, "experiment")}: ` +
          (firstFew(chosen, 5) || "none");
        return Promise.resolve([`${what}; ${counted(tables.length, "table")}`, chosen]);
      });
    return listing;
  }
}
