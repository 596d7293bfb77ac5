// Holds the sources to tools/budget.json; `npm run lint` runs it. A number in it is a target and only falls: raising one is a
// decision of the project's owner, who tags a release with the new number.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import tseslint from "typescript-eslint";

const budget = JSON.parse(readFileSync("tools/budget.json", "utf8"));
/** A comma does not fail the build. */
const slack = 1.01;
const problems = [];

const textsIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(ts|sql)$/.test(name))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]);
const sizeOf = (text) => text.replace(/\s/g, "").length;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

for (const [room, most] of Object.entries(budget.characters)) {
  const characters = sum(textsIn(room).map(([, text]) => sizeOf(text)));
  if (characters > most * slack)
    problems.push(`${room}: ${characters} characters without white space, at most ${most}.`);
}

/** The comments of a file: where each starts, and its text. */
const commentsOf = (text) =>
  tseslint.parser
    .parseForESLint(text, { comment: true, range: true })
    .ast.comments.map(({ range: [start, end] }) => ({ start, text: text.slice(start, end) }));

const characters = new Map();
for (const [file, text] of textsIn("src")) {
  const comments = commentsOf(text);
  if (comments[0]?.start !== 0)
    problems.push(`${file}: the first line is not a comment that says what the file is.`);
  const room = file.split("/").slice(0, 2).join("/");
  const [all, inComments] = characters.get(room) ?? [0, 0];
  const added = sum(comments.map((comment) => sizeOf(comment.text)));
  characters.set(room, [all + sizeOf(text), inComments + added]);
}
for (const [room, [all, inComments]] of characters) {
  const percent = (100 * inComments) / all;
  if (room.endsWith(".ts")) continue;
  if (!(room in budget.characters)) problems.push(`${room}: no number in budget.json.`);
  if (percent > budget.percent_comments * slack)
    problems.push(
      `${room}: ${percent.toFixed(1)} % are comments, at most ${budget.percent_comments} %.`,
    );
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

/** What git prints, or nothing where there is no git, no repository, or no such revision. */
const git = (...words) => {
  try {
    return execFileSync("git", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
};

/** The numbers of a budget by their place: characters.src/audit. */
const numbersOf = (value, place = "") =>
  typeof value === "number"
    ? [[place, value]]
    : Object.entries(value).flatMap(([key, inner]) =>
        numbersOf(inner, place === "" ? key : `${place}.${key}`),
      );

// Every budget since the last release, and that of the release itself. A shallow clone knows none but its own.
// Before 0.4.0 it was beside package.json.
const paths = ["tools/budget.json", "budget.json"];
const tag = git("describe", "--tags", "--abbrev=0", "--match", "v*").trim();
const landed = git("log", "--format=%H", ...(tag ? [`${tag}..HEAD`] : []), "--", ...paths)
  .split("\n")
  .concat(tag)
  .filter(Boolean)
  .map((revision) => paths.map((path) => git("show", `${revision}:${path}`)).join("") || "{}")
  .map((text) => JSON.parse(text))
  // Before 0.4.0 a budget followed the sources instead of holding them.
  .filter((earlier) => "percent_comments" in earlier)
  .map((earlier) => new Map(numbersOf(earlier)));
if (git("rev-parse", "--is-shallow-repository").trim() === "true")
  problems.push("budget.json: earlier numbers are unknown in a shallow clone; fetch all history.");
const numbers = new Map(numbersOf(budget));
const places = new Set(landed.flatMap((earlier) => [...earlier.keys()]));
for (const place of places) {
  const lowest = Math.min(...landed.map((earlier) => earlier.get(place) ?? Infinity));
  const number = numbers.get(place);
  if (number === undefined && existsSync(place.replace(/^\w+\./, "")))
    problems.push(`budget.json: ${place} was ${lowest} and is gone.`);
  if (number > lowest) problems.push(`budget.json: ${place} was ${lowest} and is ${number} now.`);
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
