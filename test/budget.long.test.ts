import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { folderOfTests } from "./support/folder.js";
import { root } from "./support/root.js";

function project(): {
  folder: string;
  write: (path: string, text: string) => void;
  lint: () => string;
} {
  const folder = folderOfTests("recount-budget");
  cpSync(join(root, "tools/budget.js"), join(folder, "tools/budget.js"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("package.json", '{ "type": "module" }');
  write("src/room/sum.ts", sum);
  write("sql/model.sql", "select 1\n");
  return {
    folder,
    write,
    lint: () =>
      spawnSync(process.execPath, ["tools/budget.js"], {
        cwd: folder,
        encoding: "utf8",
      }).stderr.trim(),
  };
}

const sum = "// Sums.\nexport const sum = (a: number, b: number) => a + b + 0;\n";
const budget = (changes: object = {}, room = 100) =>
  JSON.stringify({
    characters: { "src/room": room, sql: 20 },
    percent_comments: 20,
    names_defined_twice: 0,
    lines_over_100: { src: 0, sql: 0 },
    ...changes,
  });

describe("the budget of characters", () => {
  let made: ReturnType<typeof project>;
  const commit = (room: number, tag?: string) => {
    made.write("tools/budget.json", budget({}, room));
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
        cwd: made.folder,
      });
    git("init", "--quiet");
    git("add", "tools/budget.json");
    git("commit", "--quiet", "--allow-empty", "-m", "budget");
    if (tag !== undefined) git("tag", tag);
  };

  beforeAll(() => {
    made = project();
    made.write("tools/budget.json", budget());
  });

  it("says nothing of a project within it", () => {
    expect(made.lint()).toBe("");
  });

  it("names each room above a number, and each file without its sentence", () => {
    const other = project();
    other.write("tools/budget.json", budget());
    const more = sum.replace("sum", "more").replace(/^.*\n/, "");
    other.write("src/room/more.ts", `${more}// ${"and ".repeat(12)}\n`);
    other.write("src/other/sum.ts", sum.replaceAll("sum", "other"));
    expect(other.lint().split("\n")).toEqual([
      expect.stringMatching(/^src\/room: \d+ characters without white space, at most 100\.$/),
      "src/room/more.ts: the first line is not a comment that says what the file is.",
      "src/other: no number in budget.json.",
      expect.stringMatching(/^src\/room: \d+\.\d % are comments, at most 20 %\.$/),
    ]);
  });

  it("lets a number fall and never rise, until a release has another", () => {
    commit(90);
    commit(80);
    made.write("tools/budget.json", budget({}, 70));
    expect(made.lint()).toBe("");
    made.write("tools/budget.json", budget({}, 85));
    expect(made.lint()).toBe("budget.json: characters.src/room was 80 and is 85 now.");
    commit(95, "v1.0.0");
    expect(made.lint()).toBe("");
    made.write("tools/budget.json", budget({}, 96));
    expect(made.lint()).toBe("budget.json: characters.src/room was 95 and is 96 now.");
  });

  it("does not lose a number", () => {
    commit(60);
    made.write("tools/budget.json", budget({ characters: { "src/room": 60 } }));
    expect(made.lint()).toBe("budget.json: characters.sql was 20 and is gone.");
  });
});
