// Holds the sources to budget.json; `npm run lint` runs it. A budget is a limit: lower it when a room has shrunk. Whoever
// raises one says in the commit what was removed elsewhere, or why nothing could be.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const budget = JSON.parse(readFileSync("budget.json", "utf8"));
const textsIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(ts|sql)$/.test(name))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]);
const problems = [];

for (const [room, most] of Object.entries(budget.characters)) {
  const characters = textsIn(room).reduce(
    (sum, [, text]) => sum + text.replace(/\s/g, "").length,
    0,
  );
  if (characters > most)
    problems.push(`${room}: ${characters} characters without white space, at most ${most}.`);
}

const definition =
  /^(?:export )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
const files = new Map();
// An index offers what other files define.
for (const [file, text] of textsIn("src").filter(([file]) => !file.endsWith("index.ts")))
  for (const [, name] of text.matchAll(definition))
    files.set(name, (files.get(name) ?? new Set()).add(file));
const twice = [...files].filter(([, each]) => each.size > 1);
if (twice.length > budget.names_defined_twice) {
  const listed = twice.map(([name, each]) => `\n  ${name}: ${[...each].join(", ")}`).sort();
  problems.push(
    `src: ${twice.length} names are defined in several files, at most ${budget.names_defined_twice}.${listed.join("")}`,
  );
}

// What the formatter leaves: texts in one piece, and statements of SQL.
for (const [folder, most] of Object.entries(budget.lines_over_100)) {
  const long = textsIn(folder).flatMap(([file, text]) =>
    text.split("\n").flatMap((line, i) => (line.length > 100 ? [`\n  ${file}:${i + 1}`] : [])),
  );
  if (long.length > most)
    problems.push(
      `${folder}: ${long.length} lines over 100 characters, at most ${most}.${long.join("")}`,
    );
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
