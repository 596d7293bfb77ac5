// Prints an annotation of GitHub Actions for each published result that did not reproduce: node github-annotations.js audit.json
import { readFileSync } from "node:fs";

const fine = new Set(["exact", "within_tolerance", "explained"]);

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions: what would end a value or a line. */
const data = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const results = new Map();
for (const row of JSON.parse(readFileSync(process.argv[2], "utf8")).rows) {
  if (fine.has(row.verdict)) continue;
  const { experiment_name: name, experiment_id: id, kind, dimension, verdict, explanation } = row;
  const title = [name || id, kind, dimension].filter(Boolean).join(", ");
  const key = JSON.stringify([title, verdict, explanation]);
  const result = results.get(key) ?? { title, verdict, explanation, items: new Set() };
  result.items.add(row.item);
  results.set(key, result);
}

for (const { title, verdict, explanation, items } of results.values()) {
  const why = explanation === null ? "" : ` (${explanation})`;
  const [first, ...others] = [...items].filter(Boolean);
  const which =
    first === undefined
      ? ""
      : `: ${first}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  const message = `${verdict.replaceAll("_", " ")}${why}${which}`;
  const level = verdict === "unexplained" ? "error" : "warning";
  console.log(`::${level} title=${property(title)}::${data(message)}`);
}
