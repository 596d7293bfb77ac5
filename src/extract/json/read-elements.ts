import { fileMode, fsp, readText, removeFile } from "../../platform/index.js";
import { writeElementLines } from "./element-lines.js";

/** An element of a list: its line as `writeElementLines` writes it, and its identifier as written, if it has one. */
export interface Element {
  readonly text: string;
  readonly id: string | null;
}

/** The `id` of a JSON object; null if there is none. */
export function identifierIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}

/** The elements of a list of small records. */
export async function readElements(file: string): Promise<Element[]> {
  const lines = `${file}.elements`;
  try {
    await writeElementLines(file, lines);
    const texts = (await readText(lines)).split("\n").filter((text) => text.trim() !== "");
    return texts.map((text) => ({ text, id: identifierIn(text) }));
  } finally {
    await removeFile(lines);
  }
}

/** Writes the lines of a list, with `other` JSON in place of the elements that have these identifiers. */
export async function writeElements(
  file: string,
  elements: readonly Element[],
  other: ReadonlyMap<string, string>,
): Promise<void> {
  const lines = elements.map(({ text, id }) =>
    (id === null ? text : (other.get(id) ?? text)).replaceAll(/[\r\n]/g, " "),
  );
  await fsp.writeFile(file, lines.join("\n"), { mode: fileMode });
}
