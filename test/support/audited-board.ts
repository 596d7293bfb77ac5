/** A board of test/import/boards, imported and audited as it is or changed. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderOfTests } from "./folder.js";
import { recountHere } from "./in-process.js";

const boards = join(import.meta.dirname, "../import/boards");

interface AuditedRow {
  readonly kind: string;
  readonly field: string;
  readonly item: string;
  readonly verdict: string;
  readonly explanation: string | null;
}

/** Changes one text of a case's files, by file. */
type Edits = Readonly<Record<string, (text: string) => string>>;

/**
 * A function that gives the verdicts of a mapping of `test/import/boards`, for example
 * `anchor/a.yaml`, whose files were edited. @param name of the folder of the test file
 */
export function auditorOfBoards(name: string) {
  const folder = folderOfTests(name);
  let cases = 0;
  return async (mapping: string, edits: Edits = {}): Promise<AuditedRow[]> => {
    const [board = ""] = mapping.split("/");
    const own = join(folder, `${board}-${cases++}`);
    cpSync(join(boards, board), own, { recursive: true });
    for (const [file, edit] of Object.entries(edits)) {
      const path = join(own, file);
      writeFileSync(path, edit(readFileSync(path, "utf8")));
    }
    const lake = join(own, "lake");
    await recountHere(["import", join(own, mapping.slice(board.length)), "--lake", lake]);
    await recountHere(["audit", "--lake", lake, "--json", join(own, "audit.json")]);
    const { rows } = JSON.parse(readFileSync(join(own, "audit.json"), "utf8")) as {
      rows: AuditedRow[];
    };
    return rows;
  };
}

/** Each verdict of some rows, with its explanation, once. */
export const told = (rows: readonly AuditedRow[]): string[] => [
  ...new Set(rows.map(({ verdict, explanation }) => `${verdict}: ${explanation ?? ""}`)),
];
