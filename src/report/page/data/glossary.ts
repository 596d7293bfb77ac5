import { packageFile, readText } from "../../../platform/index.js";
import type { GlossaryPart } from "./report-data.js";

const file = packageFile("docs/glossary.md");

/** The parts of docs/glossary.md that a reader of the page needs. */
const wanted = ["Studies", "Audit"];

export async function readGlossary(): Promise<GlossaryPart[]> {
  const sections = (await readText(file)).split(/^## /m).slice(1);
  return sections
    .map((section) => ({
      title: section.split("\n")[0] ?? "",
      terms: [...section.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
        .map(([, term = "", meaning = ""]) => ({ term, meaning }))
        .filter(({ term }) => term !== "Term"),
    }))
    .filter(({ title }) => wanted.includes(title));
}
