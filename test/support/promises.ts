import { parse } from "yaml";
import { read } from "./root.js";

export interface Promised extends HowToRun {
  promise: string;
  file: string;
  /** With the placeholders of a table of cases; undefined if no title, or several, have the part. */
  title: string | undefined;
  faults: Fault[];
}

export interface Fault {
  file: string;
  /** A text that is in the file once. */
  find: string;
  replace: string;
}

export interface HowToRun {
  /** The file to run, where the promise names one that others call. */
  run?: string;
  /** A part of the titles of the cases that fail, where the promise names many slow ones. */
  only?: string;
  /** The test fails by waiting for ever, which a shorter limit shows sooner. */
  hangs?: boolean;
  /** The test needs what the tests before it in its file make. */
  whole?: boolean;
}

/** A promise as the file has it: beside a part of its title and how to run it, a text and what replaces it, by source. */
type Row = HowToRun & { title: string } & Record<string, unknown>;

const sections = Object.entries(
  parse(read("test/promises/promises.yaml")) as Record<string, Record<string, Record<string, Row>>>,
).map(([name, files]) => ({
  name,
  rows: Object.entries(files).flatMap(([file, rows]) =>
    Object.entries(rows).map(([promise, row]) => ({
      ...row,
      promise,
      file,
      title: titleWith(file, row.title),
      faults: faultsOf(row),
    })),
  ),
}));
export const promises: readonly Promised[] = sections.flatMap(({ rows }) => rows);

/** The title of a test in the file that is this, or the only one that has this part. */
export function titleWith(file: string, part: string): string | undefined {
  const titles = [...read(file).matchAll(/(?:\bit|\btest|\))\(\s*"([^"\n]+)"/g)].flatMap(
    ([, text = ""]) => (text.includes(part) ? [text] : []),
  );
  return titles.includes(part) || new Set(titles).size !== 1
    ? titles.find((title) => title === part)
    : titles[0];
}

/** What `row` has texts for is a source. */
function faultsOf(row: Row): Fault[] {
  return Object.entries(row).flatMap(([file, texts]) =>
    typeof texts === "object" && texts !== null
      ? Object.entries(texts).map(([find, replace]) => ({ file, find, replace: String(replace) }))
      : [],
  );
}

export function promisesPage(samplers: readonly string[]): string {
  const page = read("docs/records/promises.md");
  const [begin, sampled, end] = ["\n## ", "\n## What `npm test` samples", "\n## Not promised"].map(
    (heading) => page.indexOf(heading),
  );
  const tables = sections.map(({ name, rows }) => [
    `\n## ${name}\n\n| Promise | File | Test |\n|---|---|---|`,
    ...rows.map(({ promise, file, title }) => `| ${promise} | \`${file}\` | ${title ?? ""} |`),
  ]);
  const intro = page.slice(sampled, end).replace(/^- .*\n/gm, "");
  const list = samplers.map((file) => `- \`${file}\`\n`).join("");
  return `${page.slice(0, begin)}${tables.flat().join("\n")}\n${intro}${list}${page.slice(end)}`;
}

/** The file with the fault in it. Throws if what it replaces is not there exactly once. */
export function plant({ file, find, replace }: Fault): string {
  const [before, after, ...others] = read(file).split(find);
  if (before === undefined || after === undefined || others.length > 0 || find === replace)
    throw new Error(`a fault must replace a text that is in ${file} exactly once: ${find}`);
  return before + replace + after;
}

/** What vitest's `-t` takes for a title with placeholders. */
export const patternOf = (title: string): string =>
  title
    .split(/%[sdifjoO]|\$\w+/)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(".*");
