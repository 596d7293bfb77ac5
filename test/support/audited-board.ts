import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { AuditReport, AuditRow } from "../../src/audit/index.js";
import { studyReader } from "./study-reader.js";

const boards = join(import.meta.dirname, "../import/boards");

type Edits = Readonly<Record<string, (text: string) => string>>;

export function editedBoard(board: string, edits: Edits): Record<string, string> {
  const texts = readdirSync(join(boards, board)).map((file) => {
    const text = readFileSync(join(boards, board, file), "utf8");
    return [file, edits[file]?.(text) ?? text] as const;
  });
  return Object.fromEntries(texts);
}

/**
 * Functions that audit a mapping of `test/import/boards`, for example `anchor/a.yaml`, whose files
 * were edited: the report, or its rows. @param name of the folder of the test file
 */
export function auditorOfBoards(name: string) {
  const { readStudy, auditOf } = studyReader(name);
  const reportOf = async (mapping: string, edits: Edits = {}): Promise<AuditReport> => {
    const [board = ""] = mapping.split("/");
    const files = editedBoard(board, edits);
    const study = await readStudy(files[basename(mapping)] ?? "", files);
    if (study.code !== 0) throw new Error(`${mapping} is not whole: ${study.said}`);
    return auditOf(study);
  };
  return {
    reportOf,
    audited: async (mapping: string, edits?: Edits) => (await reportOf(mapping, edits)).rows,
  };
}

export const told = (rows: readonly Pick<AuditRow, "verdict" | "explanation">[]): string[] => [
  ...new Set(rows.map(({ verdict, explanation }) => `${verdict}: ${explanation ?? ""}`)),
];
