import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { guessMapping } from "../../src/import/index.js";
import { studyReader } from "../support/study-reader.js";
import { everyNth } from "../support/whole.js";

const { folder, readStudy, ratingsRead } = studyReader("recount-people");

interface Shape {
  readonly file?: string;
  readonly text: string;
  readonly guess?: readonly string[];
  readonly without?: string;
  readonly refused?: string;
  readonly mapping?: string;
  readonly code?: number;
  readonly said?: string;
  readonly rows?: readonly string[];
}

const shapes = parse(readFileSync(join(import.meta.dirname, "people.yaml"), "utf8")) as Readonly<
  Record<string, Shape>
>;
const queryToFill =
  /^# .*: no mapping can be guessed: .*\n(# The first records:\n(# {3}.*\n)+)?study:.*\n.*\nfiles:[^]*sql: \|[^]*select line, /;

test.each(everyNth(Object.entries(shapes), 7, 3))(
  "a file as people have it: %s",
  async (name, shape) => {
    const { file = /^\S+\.\w+$/.test(name) ? name : "d.csv", text, mapping, said, rows } = shape;
    const { guess = [], without = "^$", refused, code = 0 } = shape;
    writeFileSync(join(folder, file), text);
    const guessed = mapping === undefined ? await guessMapping(join(folder, file)) : undefined;
    if (refused !== undefined) {
      expect(guessed?.refused).toMatch(RegExp(refused));
      expect(guessed?.text).toMatch(queryToFill);
      return;
    }
    expect(guessed?.refused).toBeUndefined();
    expect(guessed?.text ?? "-").not.toMatch(RegExp(without));
    expect(guessed?.text ?? "").toMatch(RegExp(guess.join("[^]*")));
    if (rows === undefined && said === undefined) return;
    const own = mapping && `{ study: { id: people }, ${mapping} }`;
    const read = await readStudy(own ?? guessed?.text ?? "", { [file]: text });
    expect([read.said, ...read.untaken].join("\n").trim()).toMatch(RegExp(said ?? "^$"));
    expect(read.code).toBe(code);
    if (rows === undefined) return;
    expect(await ratingsRead()).toEqual(rows);
  },
);
