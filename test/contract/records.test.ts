import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { recordColumns } from "../../src/contract/index.js";
import type { RecordName } from "../../src/contract/records.js";

const listed: Record<string, RecordName> = {
  "Experiment (list item and create response)": "experiment",
  "Dataset summary": "dataset",
  "Dataset create result": "dataset_created",
  Job: "job_detail",
  "Rater pool": "rater_pool",
  "Job costs": "job_costs",
  Rater: "rater",
  Rating: "rating",
  Session: "session",
  Slate: "slate",
  Result: "result",
};

/** The column for a type of the interface; a text such as "string, required" counts as its first word. */
const columnFor: Record<string, string> = {
  string: "VARCHAR",
  "date-time": "TIMESTAMPTZ",
  integer: "BIGINT",
  number: "DOUBLE",
  boolean: "BOOLEAN",
  "array of string": "VARCHAR[]",
  array: "JSON",
  object: "JSON",
  any: "JSON",
};

const page = readFileSync("docs/reference/service-api.md", "utf8");

function fieldsUnder(heading: string): [field: string, type: string][] {
  const section = page.split(/^### /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| (\w+) \| ([^|]+?) \|/gm)].flatMap(([, field = "", type = ""]) =>
    field === "Field" ? [] : [[field, type] as [string, string]],
  );
}

test.each(Object.entries(listed))(
  "%s: a column has the type that the interface states",
  (heading, record) => {
    const columns = new Map(recordColumns(record).map(({ name, type }) => [name, type]));
    const fields = fieldsUnder(heading);
    expect(fields.length).toBeGreaterThan(2);
    const stated = fields
      .filter(([field]) => !["token", "upload_url", "ratings"].includes(field))
      .map(([field, type]) => {
        const plain = type.replace(/,.*| \(.*| or (null|.*null).*/, "");
        const array = /^array of (?!string)/.test(plain) ? "array" : plain;
        // A rater's id is text in every table, also where the interface has integers.
        return [field, field === "rater_id" ? "VARCHAR" : columnFor[array]];
      });
    expect(stated.map(([field]) => [field, columns.get(field as string)])).toEqual(stated);
  },
);
