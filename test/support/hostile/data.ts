import { answer, field, inTurn, list, odd, rating, row, three, untilClose } from "./bytes.js";
import { type Row, rows, whole, two, others, fails, damaged } from "./outcomes.js";

const spaces = (bytes: number) => " ".repeat(bytes);
const raw = (hex: string) => Buffer.concat([Buffer.from('"'), Buffer.from(hex, "hex"), Buffer.from('"')]);
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const names = (count: number) => Array.from({ length: count }, (_, i) => `,"f${i}":${i}`).join("");
const experiment = (id: string) => `{"id":${id},"name":"n","type":"pairwise_image"}`;
const experiments = { at: "experiments" };

const bodies: readonly Row[] = [
  ["an empty list", answer("[]"), rows(0)],
  ["an empty list with blanks", answer(" \t[\r\n ]\n"), rows(0)],
  ...["", "  ", "null", "true", "0", '"[]"', "{}", "<html></html>", ")]}',\n[]", "// x\n[]", "'[]'"].map(
    (text): Row => [`${JSON.stringify(text)} for a list`, answer(text), damaged],
  ),
  ...["[", "]", "[]x", "[][]", "[]\0", "[,]", "[1,]", "[,1]", "[1,,2]", '[{"a":1}', '["a', "[1}", "[]]"].map(
    (text): Row => [JSON.stringify(text), answer(text), damaged],
  ),
  ["a comma without an element", answer(`[${row(1)},,${row(2)}]`), fails(/a comma without an element/)],
  ["a comma at the end", answer(`[${row(1)},]`), fails(/a comma without an element/)],
  ["JSON lines", answer(`${row(1)}\n${row(2)}\n`), fails(/an object, not the list/)],
  ["2 MB of blanks", answer(`${spaces(1e6)}[${row(1)}${spaces(1e6)},${row(2)},${row(3)}]`), whole],
  ["half a list, then a whole one", inTurn(untilClose(three.subarray(0, 99)), answer(list(rating(7)))), rows(1)],
  ["a new list at each of four cuts", inTurn(...[1, 2, 3, 4].map((i) => untilClose(`[${row(i)},`)), answer()), whole],
  ["an element twice", answer(list(rating(1), rating(1))), rows(2)],
];

const elements: readonly Row[] = [
  ...[
    "null",
    "5",
    "true",
    '"x"',
    "[]",
    "[[]]",
    "NaN",
    "undefined",
    "{]",
    "{x:1}",
    "{'a':1}",
    '{"a" 1}',
    "\0",
    "/**/",
  ].map((text): Row => [`the element ${JSON.stringify(text)}`, odd(text), two]),
  ["two elements without a comma", answer(`[${row(1)},${row(2)}${row(3)},${row(4)}]`), two],
  ["an empty object", odd("{}"), whole],
  ["an object that ends with a comma", odd('{"a":1,}'), whole],
  ["a field twice", odd(rating(2, {}, ',"score":2')), two],
  ["an unknown field twice", odd(rating(2, {}, ',"x":1,"x":1')), two],
  ["a field in another case", odd(rating(2, {}, ',"Score":2')), whole],
  ["an escaped name", odd(rating(2, {}, ',"\\u0073core":2')), two],
  ...["__proto__", "constructor", "", "toString", "a/b~c", "$.x", "_meta", "ordinal", "é", "x".repeat(10_000)].map(
    (name): Row => [
      `a field called ${JSON.stringify(name.slice(0, 20))}`,
      odd(rating(2, {}, `,${JSON.stringify(name)}:{"a":1}`)),
      whole,
    ],
  ),
  ["a thousand unknown fields", odd(rating(2, {}, names(1000))), whole],
  ["an element of 17 MiB", field("stimulus", `"${"x".repeat(17 << 20)}"`), two],
];

const text: readonly Row[] = [
  ...["00", "01", "0a", "0d", "09", "0d0a", "1e", "1f", "1e1f0a"].map((hex): Row => [
    `a raw 0x${hex} in text`,
    field("stimulus", raw(`41${hex}42`)),
    two,
  ]),
  ["a raw 0x0a in a name", odd(rating(2, {}, ',"a\nb":1')), two],
  ["a raw 0x7f in text", field("stimulus", raw("7f")), whole],
  ...["c080", "c1bf", "ff", "fe", "eda080", "f4908080", "e282", "80", "f8888080"].map((hex): Row => [
    `bytes ${hex} in text`,
    field("stimulus", raw(hex)),
    two,
  ]),
  ...["efbbbf", "efbfbe", "e280ae", "f09f9880", "cc81", "e28080"].map((hex): Row => [
    `the character of bytes ${hex} in text`,
    field("stimulus", raw(hex)),
    whole,
  ]),
  ['the text "\\"', field("stimulus", '"\\"'), damaged],
  ...['"\\ud800"', '"\\udc00\\ud800"', '"\\ud800x"', '"\\x41"', '"\\u12"', "'x'"].map((value): Row => [
    `the text ${value}`,
    field("stimulus", value),
    two,
  ]),
  ...['"\\u0000"', '"\\ud83d\\ude00"', '"\\/"', '"\\u2028"', '""', "null"].map((value): Row => [
    `the text ${value}`,
    field("stimulus", value),
    whole,
  ]),
];

const values: readonly Row[] = [
  ...[
    "1e400",
    "-1e400",
    '"1"',
    "true",
    "[1]",
    "{}",
    "NaN",
    "Infinity",
    "0x10",
    "01",
    "+1",
    ".5",
    "1.",
    "1e",
    "--1",
  ].map((value): Row => [`the score ${value}`, field("score", value), two]),
  ...["-0", "0", "1e-400", "1E5", "0.1", "9007199254740993", "9".repeat(50), "null"].map((value): Row => [
    `the score ${value}`,
    field("score", value),
    whole,
  ]),
  ...["1.5", "1.0", "1e2", '"7"', "9223372036854775808", "-9223372036854775809", "9".repeat(400), "true", "{}"].map(
    (value): Row => [`the slate ${value.slice(0, 30)}`, field("slate_id", value), two],
  ),
  ...["9223372036854775807", "-9223372036854775808", "-0", "null"].map((value): Row => [
    `the slate ${value}`,
    field("slate_id", value),
    whole,
  ]),
  ...["0", '"true"', "[]", "True"].map((value): Row => [`is_training ${value}`, field("is_training", value), two]),
  ...["5", "[]", "{}", "false"].map((value): Row => [`the session ${value}`, field("session_id", value), two]),
  ...["null", "5", '"x"', "[]", '{"a":1,"a":2}', '{"__proto__":{"x":1}}', '{"isCorrect":"yes"}', "1e400"].map(
    (value): Row => [`the meta ${value}`, field("meta", value), whole],
  ),
  ...[100, 1001, 20_000].map((depth): Row => [`meta ${depth} deep`, field("meta", deep(depth)), whole]),
  ["an unknown field 20,000 deep", odd(rating(2, {}, `,"x":${deep(20_000)}`)), whole],
  ["an element 20,000 deep", odd(deep(20_000)), two],
  ["an element that only opens, 20,000 deep", answer(`[${row(1)},${"[".repeat(20_000)}]`), damaged],
];

const validators: readonly Row[] = [
  ...["x", "W/x", '"a", "b"', `"${"x".repeat(9000)}"`, "", "*"].map((tag): Row => [
    `the ETag ${tag.slice(0, 20)}`,
    answer(three, `etag: ${tag}`),
    whole,
  ]),
  ["two ETags", answer(three, 'etag: "a"', 'etag: "b"'), whole],
];

const identifiers: readonly Row[] = [
  ["experiments that are no list", answer("{}"), damaged, experiments],
  ["no experiment", answer("[]"), rows(0), experiments],
  ["an experiment", answer(`[${experiment('"exp1"')}]`), others(0), experiments],
  ...['"../../x"', '"a/b"', '""', "null", '"E 1"', '"\\u0000"', "[]", '"exp1"'].map((id): Row => [
    `one more experiment with the id ${id}`,
    answer(`[${experiment('"exp1"')},${experiment(id)}]`),
    others(2),
    experiments,
  ]),
  ["only an experiment that is not there", answer(`[${experiment('"none"')}]`), fails(/nothing at/, 4), experiments],
  [
    "one more experiment that is not there",
    answer(`[${experiment('"none"')},${experiment('"exp1"')}]`),
    others(2),
    experiments,
  ],
  ["one more experiment without an id", answer(`[{"name":"n"},${experiment('"exp1"')}]`), others(2), experiments],
  ["a damaged experiment", answer('[{"id":"exp1","name":"a\nb"}]'), others(2), experiments],
  ["one more experiment, null", answer(`[${experiment('"exp1"')},null]`), others(2), experiments],
];

/** Bodies, their elements and values. */
export const data = { bodies, elements, text, values, validators, identifiers };
