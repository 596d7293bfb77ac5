import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { startProcess } from "./command-line.js";

export const projectRoot = resolve(import.meta.dirname, "../..");
export const pagePath = "docs/how-to/extending.md";

/** One code block of docs/how-to/extending.md: a whole new file, or a patch of a file that exists. */
export interface Step {
  readonly file: string;
  readonly isPatch: boolean;
  readonly text: string;
}

export interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** The recipes of a page: in each section, blocks under a line that names a file, as "`path`:". */
export function recipesIn(page: string): Recipe[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf("\n")),
      steps: [...section.matchAll(/^`([^`\n]+)`:\n\n```(\w+)\n([^]*?)^```$/gm)].map(
        ([, file = "", language, text = ""]) => ({ file, isPatch: language === "diff", text }),
      ),
    }));
}

export const readRecipes = (): Recipe[] =>
  recipesIn(readFileSync(join(projectRoot, pagePath), "utf8"));

/** The steps of a section. @throws RangeError when the page has no such section. */
export function recipe(title: string): readonly Step[] {
  const found = readRecipes().find((one) => one.title === title);
  if (found === undefined) throw new RangeError(`${pagePath} has no section ${title}`);
  return found.steps;
}

/** Applies a patch to a text. Context and removed lines must occur once, as whole lines. @throws RangeError. */
export function patched(text: string, { file, text: patch }: Step): string {
  return patch.split(/^@@\n/m).reduce((current, hunk) => {
    const lines = hunk.replace(/\n$/, "").split("\n");
    const side = (marks: string) =>
      `\n${lines.flatMap((line) => (marks.includes(line.charAt(0)) ? [line.slice(1)] : [])).join("\n")}`;
    const [before = "", after, ...more] = `\n${current}`.split(side(" -"));
    if (after === undefined || more.length > 0)
      throw new RangeError(
        `${pagePath}: these lines occur ${more.length === 0 ? "nowhere" : "twice"} in ${file}:${side(" -")}`,
      );
    return `${before}${side(" +")}${after}`.slice(1);
  }, text);
}

/** A copy of the project in a temporary folder, as git tracks it, with the same packages. */
export interface ProjectCopy {
  readonly folder: string;
  apply(steps: readonly Step[]): void;
  /** Restores the files of steps, or removes new ones. */
  revert(steps: readonly Step[]): void;
  /** Runs a package's command in the copy. Null if it succeeded, otherwise its output. */
  run(bin: string, ...args: string[]): Promise<string | null>;
  remove(): void;
}

export function copyProject(): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), "recount-extending-"));
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: projectRoot, encoding: "utf8" })
    .split("\0")
    .filter(Boolean);
  for (const file of files)
    if (existsSync(join(projectRoot, file))) cpSync(join(projectRoot, file), join(folder, file));
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  return {
    folder,
    apply(steps) {
      for (const step of steps) {
        const { file, isPatch, text } = step;
        write(file, isPatch ? patched(readFileSync(join(folder, file), "utf8"), step) : text);
      }
    },
    revert(steps) {
      for (const { file, isPatch } of steps) {
        if (isPatch) cpSync(join(projectRoot, file), join(folder, file));
        else rmSync(join(folder, file));
      }
    },
    async run(bin, ...args) {
      const { code, stdout, stderr } = await startProcess(args, {
        program: join(folder, "node_modules/.bin", bin),
        cwd: folder,
        env: { ...process.env, NO_COLOR: "1", VITEST: undefined, RECOUNT_TESTS: undefined },
      }).ended;
      return code === 0 ? null : stdout + stderr;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
