import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recountHere } from "../support/in-process.js";
import { everyNth } from "../support/whole.js";

const run = promisify(execFile);
const dir = mkdtempSync(join(tmpdir(), "recount-completion-"));
const scriptOf = (shell: string) => join(dir, `recount.${shell}`);

beforeAll(async () => {
  mkdirSync(join(dir, "a folder"));
  writeFileSync(join(dir, "night file.yaml"), "");
  for (const shell of ["bash", "zsh", "fish"])
    writeFileSync(scriptOf(shell), (await recountHere(["completion", shell])).stdout);
});
afterAll(() => rmSync(dir, { recursive: true }));

const isThere = (shell: string) => {
  try {
    return execFileSync(shell, ["-c", "exit 0"]).length === 0;
  } catch {
    return false;
  }
};

/** Types a command line and Tab into a terminal of zsh, and prints what then stands there. */
const zshTerminal = `
zmodload zsh/zpty
zpty shell zsh -f
zpty -w shell 'autoload -Uz compinit; compinit -u -D; source "$SCRIPT"; PROMPT=; stty -echo'
zpty -w shell 'finish() { print -r -- "TYPED<$BUFFER>"; exit }; zle -N finish; bindkey "^X" finish'
zpty -w shell 'bindkey "^I" complete-word; print READY'
zpty -r shell line '*READY*READY*'
zpty -wn shell "$LINE"$'\\t'$'\\C-x'
zpty -r shell line '*TYPED<*>*'
print -r -- "\${line#*TYPED<}"
`;

/** The words that a shell offers for the last word of a line. */
const offered: Record<string, (line: string) => Promise<string[]>> = {
  bash: async (line) => {
    const words = line.split(" ");
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const typed = `source "$SCRIPT"; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _recount; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(await run("bash", ["--norc", "-c", typed], { cwd: dir, env: { SCRIPT: scriptOf("bash") } }));
  },
  zsh: async (line) => {
    const env = { ...process.env, SCRIPT: scriptOf("zsh"), LINE: line };
    const { stdout } = await run("zsh", ["-f", "-c", zshTerminal], { cwd: dir, env });
    const typed = stdout.slice(0, stdout.indexOf(">"));
    return [typed.slice(line.lastIndexOf(" ") + 1).replaceAll("\\", "")];
  },
  fish: async (line) => {
    const typed = `source $SCRIPT; complete -C "$LINE"`;
    const env = { ...process.env, SCRIPT: scriptOf("fish"), LINE: line, HOME: dir };
    return lines(await run("fish", ["--no-config", "-c", typed], { cwd: dir, env })).map(
      (text) => text.split("\t")[0] ?? "",
    );
  },
};

const lines = ({ stdout }: { stdout: string }) => stdout.split(/\r?\n/).filter((text) => text !== "");

const cases: readonly [line: string, words: string[]][] = [
  ["recount ver", ["verify"]],
  ["recount audit --js", ["--json"]],
  ["recount export --no-r", ["--no-raw"]],
  ["recount query --format p", ["parquet"]],
  ["recount snapshots p", ["prune"]],
  ["recount completion f", ["fish"]],
  ["recount run ni", ["night file.yaml"]],
  ["recount audit --lake a", ["a folder"]],
  ["recount audit --pipeline ni", ["night file.yaml"]],
];

describe.each(["bash", "zsh", "fish"])("in %s", (shell) => {
  it.runIf(isThere(shell)).each(everyNth("examples", cases, 4))("completes %s", async (line, words) => {
    expect((await offered[shell]?.(line))?.map((word) => word.replace(/[ /=]+$/, ""))).toEqual(words);
  });
});

it("describes every flag in zsh and fish, and names it in bash", () => {
  const [bash, zsh, fish] = ["bash", "zsh", "fish"].map((shell) => readFileSync(scriptOf(shell), "utf8"));
  expect(bash).toContain("--mask-secrets");
  expect(zsh).toContain(
    "'--mask-secrets[Mask the credentials of this export where the service repeats them in the data]'",
  );
  expect(fish).toContain("-l mask-secrets -d 'Mask the credentials of this export where");
});

it("refuses a shell that it has no script for, in one line", async () => {
  const { code, stderr } = await recountHere(["completion", "tcsh"]);
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: 'recount: shell must be one of "bash", "zsh", "fish", not "tcsh".\n',
  });
});
