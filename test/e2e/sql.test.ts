import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { expect, it } from "vitest";
import { bin } from "../support/command-line.js";
import { goldenLake } from "../support/kept.js";
import { isWhole } from "../support/whole.js";

const lake = await goldenLake("tiny-pairwise");
const args = [bin, "sql", "--lake", lake];

/** What the prompt answers to lines that are written one after the other, each once `until` is in the output; one is all. */
async function conversation(
  [program, ...rest]: readonly [string, ...string[]],
  lines: readonly { readonly until: string; readonly say: string }[],
) {
  const child = spawn(program, rest, { env: { ...process.env, PATH: "/usr/bin:/bin" } });
  let output = "";
  let errors = "";
  let at = 0;
  const next = () => {
    for (; at < lines.length && output.includes(lines[at]!.until); at++) {
      output = output.slice(output.indexOf(lines[at]!.until) + lines[at]!.until.length);
      child.stdin.write(lines[at]!.say);
    }
  };
  let all = "";
  child.stdout.on("data", (chunk: Buffer) => {
    all += String(chunk);
    output += String(chunk);
    next();
  });
  child.stderr.on("data", (chunk: Buffer) => (errors += String(chunk)));
  next();
  if (lines.length === 1) child.stdin.end();
  const [code] = (await once(child, "close")) as [number | null];
  return { all, errors, code };
}

it("answers each statement of standard input, and ends with the code of the last mistake", async () => {
  const say = "select count(*) as n\nfrom ratings;\n.tables\n.help\nfrom nowhere;\nselect ';' as semicolon";
  const { all, errors, code } = await conversation([process.execPath, ...args], [{ until: "", say }]);
  expect(all).toMatch(/^ *n\n32\n\n1 row\n/);
  expect(all).toMatch(/\nleaderboard +one item/);
  expect(all).not.toContain("int_slates");
  expect(all).toContain("`.tables` lists the tables");
  expect(all).toMatch(/semicolon\n;\n\n1 row\n$/);
  expect(errors).toMatch(/^recount: The query failed: There is no table nowhere\./);
  expect(code).toBe(4);
});

/** A terminal, as util-linux makes one. */
const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");

it.runIf(isWhole && hasTerminal)(
  "prompts on a terminal, remembers what was typed, and goes on after a mistake",
  async () => {
    const command = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
    const { all, code } = await conversation(
      ["/usr/bin/script", "-qec", command, "/dev/null"],
      [
        { until: "recount> ", say: "from nowhere;\n" },
        { until: "There is no table", say: "select 40 + 2\n" },
        { until: "...> ", say: "as answer;\n" },
        // Arrow up twice: the line before the last.
        { until: "1 row", say: "\u001b[A\u001b[A" },
        { until: "select 40 + 2", say: "\r" },
        { until: "...> ", say: ";\n" },
        { until: "1 row", say: ".exit\n" },
      ],
    );
    expect(all.match(/ 42\r\n/g)?.length).toBe(2);
    expect(code).toBe(0);
  },
);
