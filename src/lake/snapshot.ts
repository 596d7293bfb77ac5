import { join } from "node:path";
import { tableColumns, tableNames, type TableName } from "../contract/index.js";
import { codeOf, UsageError, fsp, readText } from "../platform/index.js";
import { layoutOf, manifestName } from "./layout.js";
import { isManifest, type Manifest } from "./manifest.js";

export interface TableFiles {
  /** Absolute or relative to the working folder, as the lake was given. */
  readonly files: readonly string[];
  /** Column name to DuckDB type, as the contract states them. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A complete snapshot, opened for reading. */
export interface Snapshot {
  readonly id: string;
  readonly dir: string;
  readonly projectId: string;
  readonly manifest: Manifest;
  readonly tables: Readonly<Partial<Record<TableName, TableFiles>>>;
}

async function readManifest(dir: string): Promise<Manifest> {
  const file = join(dir, manifestName);
  const text = await readText(file).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: no complete snapshot stands there.`, { cause: error });
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: the snapshot is damaged; run \`recount verify\`.`, { cause: error });
  }
  if (!isManifest(value)) throw new UsageError(`${file} is not a manifest of this version of Recount.`);
  return value;
}

/** Identifiers of the complete snapshots of a project, oldest first. */
export async function listSnapshots(lake: string, projectId: string): Promise<string[]> {
  const { snapshots } = layoutOf(lake, projectId);
  const names = await fsp.readdir(snapshots).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => !name.startsWith(".")).toSorted();
}

/** The newest complete snapshot's id, or null when there is none yet. */
export async function currentSnapshot(lake: string, projectId: string): Promise<string | null> {
  const text = await readText(layoutOf(lake, projectId).current).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : text.trim();
}

/** Opens a snapshot by id, or the newest one. @throws UsageError when there is none or it is damaged. */
export async function openSnapshot(lake: string, projectId: string, id?: string): Promise<Snapshot> {
  const chosen = id ?? (await currentSnapshot(lake, projectId));
  if (chosen === null) throw new UsageError(`${join(lake, projectId)}: no snapshot yet. Run \`recount export\` first.`);
  const dir = join(layoutOf(lake, projectId).snapshots, chosen);
  const manifest = await readManifest(dir);
  const parts = manifest.units.flatMap((unit) => unit.parts);
  const tables = Object.fromEntries(
    tableNames.map((table) => [
      table,
      {
        files: parts.filter((part) => part.table === table).map((part) => join(dir, part.path)),
        columns: Object.fromEntries(tableColumns(table).map(({ name, type }) => [name, type])),
      },
    ]),
  );
  return { id: chosen, dir, projectId, manifest, tables };
}

/** The projects that a lake holds. */
export async function listProjects(lake: string): Promise<string[]> {
  const names = await fsp.readdir(lake, { withFileTypes: true }).catch(() => []);
  const isProject = await Promise.all(
    names.map(
      async (entry) => entry.isDirectory() && (await currentSnapshot(lake, entry.name).catch(() => null)) !== null,
    ),
  );
  return names
    .filter((_, i) => isProject[i])
    .map(({ name }) => name)
    .toSorted();
}

/** The project asked for, or the only one of the lake. @throws UsageError when that is not clear. */
export async function chooseProject(lake: string, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return asked;
  const projects = await listProjects(lake);
  const [only] = projects;
  if (only !== undefined && projects.length === 1) return only;
  if (only === undefined)
    throw new UsageError(`${lake}: no snapshot in this lake. Run \`recount export\` first, or pass --lake.`);
  throw new UsageError(`${lake} holds several projects (${projects.join(", ")}): pass --project.`);
}
