/** The files of a snapshot by table, for tools that do not read manifests: `listingNames`. */
import { lakeTable, tableNames, type TableName } from "../contract/index.js";
import {
  fileKey,
  layoutOf,
  tablesIn,
  type LakeStore,
  type Listing,
  type Manifest,
} from "../lake/index.js";
import { digestOfPieces, version } from "../platform/index.js";
import { quoted, text, viewOf } from "../warehouse/index.js";

interface ListedFile {
  readonly path: string;
  readonly experiment_id: string | null;
  readonly rows: number;
}

function filesByTable({ project_id, snapshot, units }: Manifest) {
  const { project, snapshots } = layoutOf(project_id);
  const files = new Map<TableName, ListedFile[]>();
  for (const { experiment_id, parts } of units)
    for (const part of parts) {
      const key = fileKey(`${snapshots}/${snapshot}`, part, part.path);
      const path = key.slice(project.length + 1);
      const own = files.get(part.table) ?? [];
      own.push({ path, experiment_id, rows: part.rows });
      files.set(part.table, own);
    }
  return tableNames.flatMap((table) => {
    const own = files.get(table);
    return own === undefined ? [] : [[table, own] as const];
  });
}

/** For DuckDB 1.3 and later. The variable `project` says where the snapshot is. */
function viewsText(store: LakeStore, manifest: Manifest, staged: string): string {
  const { project_id: project, snapshot } = manifest;
  const sources = tablesIn(store, staged, manifest);
  const views = filesByTable(manifest).flatMap(([table, files]) => {
    const source = sources[table];
    if (source === undefined) return [];
    const names = files.map(({ path }) => path);
    const below = "coalesce(getvariable('project'), '.')";
    return [
      `create or replace view ${quoted(table)} as ${viewOf(source, { names, below })};`,
      `comment on view ${quoted(table)} is ${text(lakeTable(table).description)};`,
    ];
  });
  return [
    `-- Tables of ${project}, snapshot ${snapshot}: views over its files and no others.`,
    `-- In the folder of the project: duckdb -cmd ".read snapshots/${snapshot}/tables.sql"`,
    "-- Elsewhere say where that is, first: set variable project = " +
      `'s3://bucket/folder/${project}';`,
    `-- For DuckDB 1.3 and later. Recount ${version} wrote this file.`,
    ...views,
    "",
  ].join("\n");
}

function jsonText(manifest: Manifest): string {
  const { project_id: project, snapshot } = manifest;
  const tables = Object.fromEntries(filesByTable(manifest));
  return `${JSON.stringify({ project, snapshot, tables })}\n`;
}

export async function writeListings(
  store: LakeStore,
  manifest: Manifest,
  staged: string,
): Promise<Listing[]> {
  const listings = {
    "tables.sql": viewsText(store, manifest, staged),
    "tables.json": jsonText(manifest),
  } satisfies Record<Listing["path"], string>;
  const written: Listing[] = [];
  for (const [path, content] of Object.entries(listings) as [Listing["path"], string][]) {
    await store.put(`${staged}/${path}`, content);
    written.push({ path, ...(await digestOfPieces([Buffer.from(content)])) });
  }
  return written;
}
