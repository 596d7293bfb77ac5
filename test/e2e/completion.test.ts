import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { bin } from "../support/command-line.js";
import { recountHere } from "../support/in-process.js";
import { isWhole } from "../support/whole.js";

const dir = folderOfTests("recount-completion");

it.each(["bash", "zsh"])(
  "prints a script for %s that asks for words in its form",
  async (shell) => {
    const { code, stdout } = await recountHere(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain(`SHELL=${shell} recount --get-yargs-completions`);
  },
);

it.runIf(isWhole)("completes command lines in bash", async () => {
  mkdirSync(join(dir, "bin"));
  writeFileSync(join(dir, "bin/recount"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(join(dir, "bin/recount"), 0o755);
  writeFileSync(join(dir, "script"), (await recountHere(["completion", "bash"])).stdout);
  const typed = (line: string) =>
    execFileSync(
      "bash",
      [
        "-c",
        'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _recount_yargs_completions; printf "%s\\n" "${COMPREPLY[@]}"',
        "bash",
        ...line.split(" "),
      ],
      {
        cwd: dir,
        encoding: "utf8",
        env: { ...process.env, PATH: `${join(dir, "bin")}:${process.env.PATH ?? ""}` },
      },
    );
  expect(typed("recount sche")).toBe("schedule\n");
  expect(typed("recount audit --snap")).toBe("--snapshot\n");
});
