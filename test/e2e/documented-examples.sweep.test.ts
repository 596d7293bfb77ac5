import { execFile } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { bin, recount } from "../support/command-line.js";
import { read, root } from "../support/root.js";

/** test/extending/ applies the blocks of docs/how-to/extending.md, test/pipeline/database.long.test.ts those of docs/how-to/recipes.md, test/notebooks/ those of docs/how-to/notebooks.md, test/import/tutorial.long.test.ts those of docs/tutorials/leaderboard.md; .ci/container runs what docs/how-to/container.md shows. */
const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].concat(
  readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter(
      (name) =>
        name.endsWith(".md") &&
        !/(?:container|extending|leaderboard|notebooks|recipes)\.md$/.test(name),
    )
    .map((name) => `docs/${name}`),
);

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const blocksOf = (page: string): Block[] =>
  [...read(page).matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    page,
    language,
    text,
  }));

const blocks = pages.flatMap(blocksOf);
const isSetUp = ({ text }: Block) => text.startsWith("npm ci");
const written = (language: string) =>
  blocks.filter((block) => block.language === language && !isSetUp(block));

const normalised = (line: string) =>
  line
    .replace(/127\.0\.0\.1:\d+/, "127.0.0.1:PORT")
    .replace(/[\d.]+ MB in [\d.]+ (?:s|ms): .*/, "SIZE in TIME: PATH")
    .replace(/snapshot \d{8}T\d+Z-\w+/, "snapshot ID")
    .replace(/\d+ requests/, "N requests")
    .trimEnd();

let folder = "";
let emulator: RunningEmulator | undefined;
let demo = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "recount-docs-"));
  cpSync(join(root, "pipelines"), join(folder, "pipelines"), { recursive: true });
  // The sample project passes only with the convention that the demo accepts.
  const [, accept = ""] = /^(accept:\n(?: .*\n)+)/m.exec(read("pipelines/demo.yaml")) ?? [];
  appendFileSync(join(folder, "pipelines/nightly.yaml"), accept);
  // As npm has it: `npx` finds what is installed in the folder, and nothing on the path.
  writeFileSync(join(folder, "npx"), '#!/bin/sh\nexec "./node_modules/.bin/$@"\n');
  const started = `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`;
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  for (const name of ["recount", "node_modules/.bin/recount"])
    writeFileSync(join(folder, name), started);
  for (const name of ["npx", "recount", "node_modules/.bin/recount"])
    chmodSync(join(folder, name), 0o755);
  const { stdout, stderr } = await recount(["demo"], {}, folder);
  demo = `${stderr}\n${stdout}`;
  emulator = await startEmulator({});
});
afterAll(async () => {
  await emulator?.close();
  rmSync(folder, { recursive: true });
});

function shell(text: string): Promise<{ stdout: string }> {
  const { url = "", projectId = "", apiKey = "" } = emulator ?? {};
  const env = {
    PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`,
    RECOUNT_BASE_URL: url,
    RECOUNT_PROJECT_ID: projectId,
    RECOUNT_API_KEY: apiKey,
  };
  return promisify(execFile)("sh", ["-e", "-c", text], { cwd: folder, env });
}

const shownBy = (page: string, command: string) =>
  blocksOf(page)
    .filter(
      (block, index, all) => block.language === "text" && all[index - 1]?.text.includes(command),
    )
    .flatMap(({ text }) => text.split("\n").filter((line) => line !== "" && line !== "…"));

describe("the examples of README and docs", () => {
  it("name their language, and every command is run", () => {
    const known = ["console", "json", "sh", "text", "typescript", "yaml"];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
    expect(written("sh").length).toBe(25);
    const setUps = blocks.filter(isSetUp).map(({ language }) => language);
    expect(setUps).toEqual(["sh", "console", "sh"]);
  });

  it.each(written("sh"))("run: $page: $text", async ({ text }) => {
    await shell(text);
  });

  it.each([
    ["recount audit", "recount audit --lake recount-demo/lake || true"],
    [
      "recount explain",
      "recount explain Voices5 percent_chosen clay --lake recount-demo/lake || true",
    ],
  ])("show in the first tutorial what %s prints", async (command, line) => {
    const shown = shownBy("docs/tutorials/first-audit.md", command);
    const { stdout } = await shell(line);
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.filter((one) => !stdout.split("\n").includes(one))).toEqual([]);
  });

  it("show in the README what the demo prints", () => {
    const [sample] = blocks.filter(
      ({ page, language }) => page === "README.md" && language === "text",
    );
    const lines = (sample?.text ?? "")
      .split("\n")
      .filter((line) => line !== "" && line.trim() !== "…");
    const printed = new Set(demo.split("\n").map(normalised));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !printed.has(normalised(line)))).toEqual([]);
  });
});
