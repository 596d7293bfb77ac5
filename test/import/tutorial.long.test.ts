import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { read, root } from "../support/root.js";

const page = read("docs/tutorials/leaderboard.md");
const folder = folderOfTests("recount-tutorial");

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

const here = (line: string) =>
  [...line.matchAll(/"([^"]*)"|\S+/g)]
    .map(([word, quoted = word]) => quoted)
    .map((word) => (/^lake$|\.(yaml|csv|html|zip)$/.test(word) ? join(folder, word) : word));

test("every block of the tutorial of leaderboards works in its order", async () => {
  let mapping = "";
  let said = "";
  const codes: string[] = [];
  for (const [, language, block = ""] of page.matchAll(/```(\w+)\n(.*?)```/gs)) {
    if (language === "text") {
      const files = ["votes.csv", "board.csv"].map((file) =>
        readFileSync(join(folder, file), "utf8"),
      );
      expect(plain([said, ...files].join("\n"))).toContain(plain(block));
    } else if (language === "yaml") {
      if (block.startsWith("import:")) writeFileSync(join(folder, "pipeline.yaml"), block);
      else {
        // A later block replaces the end of the mapping.
        mapping = block.startsWith("published:") ? mapping.replace(/published:.*$/s, block) : block;
        writeFileSync(join(folder, "mapping.yaml"), mapping);
      }
    } else
      for (const line of block.trim().split("\n")) {
        const [program, ...words] = here(line.replace(/^npx /, ""));
        if (program === "cp") copyFileSync(join(root, line.split(" ")[1] ?? ""), words[1] ?? "");
        else {
          const { code, stdout, stderr } = await recountHere(words);
          said = stdout + stderr;
          codes.push(`${words[0] ?? ""} ${code}`);
        }
      }
  }
  const report = readFileSync(join(folder, "report.html"), "utf8");
  expect(plain(report)).toContain("All 7 published numbers follow from the ratings exactly.");
  expect(report).not.toContain("study service");
  expect(codes).toEqual(["import 0", "audit 2", "run 0", "query 0", "report 0", "audit 0"]);
});
