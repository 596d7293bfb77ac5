import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** A row of docs/records/promises.md. */
export interface Promised {
  promise: string;
  /** The file of the test that it names. */
  file: string;
  /** Part of the title, with the placeholders of a table of cases. */
  title: string;
}

/** A change of the sources that breaks a promise: test/promises/faults.yaml. */
export interface Fault {
  promise: string;
  file: string;
  /** A text that is in the file once. */
  find: string;
  replace: string;
  /** The file to run, where the row names one that others call. */
  run?: string;
  /** A part of the titles of the cases that fail, where the row names many slow ones. */
  only?: string;
  /** The test fails by waiting for ever, which a shorter limit shows sooner. */
  hangs?: boolean;
  /** The test needs what the tests before it in its file make. */
  whole?: boolean;
}

export const promisesTable = (): string => read("docs/records/promises.md");

export const promisesIn = (table: string): Promised[] =>
  [...table.matchAll(/^\| (.+?) \| `(test\/[^`]+)` \| (.+?) \|$/gm)].map(
    ([, promise = "", file = "", title = ""]) => ({
      promise,
      file,
      title,
    }),
  );

export const plantedFaults = (): Fault[] => parse(read("test/promises/faults.yaml")) as Fault[];

/** The file with the fault in it. Throws if what it replaces is not there exactly once. */
export function plant({ promise, file, find, replace }: Fault): string {
  const [before, after, ...others] = read(file).split(find);
  if (before === undefined || after === undefined || others.length > 0 || find === replace)
    throw new Error(
      `the fault of "${promise}" must replace a text that is in ${file} exactly once: ${find}`,
    );
  return before + replace + after;
}

/** What vitest's `-t` takes for a title with placeholders. */
export const patternOf = (title: string): string =>
  title
    .split(/%[sdifjoO]|\$\w+/)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(".*");
