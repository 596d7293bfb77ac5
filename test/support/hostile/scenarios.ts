import { deflateRawSync, gzipSync } from "node:zlib";
import {
  type Reply,
  answer,
  byByte,
  chunk,
  chunked,
  ended,
  forever,
  head,
  inTurn,
  list,
  rating,
  reset,
  status,
  three,
  threeText,
  untilClose,
  field,
  odd,
  row,
  type Must,
  type Scenario,
} from "./service.js";

/** A scenario in one row: what the service sends, in words and in bytes, and what must happen. */
type Row = readonly [
  sends: string,
  reply: Reply,
  must: Must,
  more?: Pick<Scenario, "at" | "limits">,
];

const rows = (count: number): Must => ({ exit: 0, rows: count, quarantined: 0 });
const whole = rows(3);
/** Published with one of three elements in quarantine. */
const two: Must = { exit: 2, rows: 2, quarantined: 1 };
/** Published, but incomplete without the ratings. */
const without: Must = { exit: 2, rows: 0, quarantined: 0 };
/** Published with the experiment of the emulator and its 32 ratings. */
const others = (exit: 0 | 2): Must => ({ exit, rows: 32, quarantined: 0 });
const fails = (says: RegExp, exit: 3 | 4 = 3): Must => ({ exit, says });
const refused = (code: number): Must => fails(new RegExp(`answered ${code}\\b`));
const damaged = fails(/Gave up after 5 attempts/);
/** A body beyond the limit is not asked for again. */
const tooLarge = fails(/larger than [\d.]+ GiB, the maximum(?!.*Gave up)/);
/** The same for what may be an outage. */
const out = fails(/Gave up after \d+ attempts in 600 s/);

const spaces = (bytes: number) => " ".repeat(bytes);
const manyHeaders = (count: number) => Array.from({ length: count }, (_, i) => `x-${i}: ${i}`);
const interim = (count: number, code: string) =>
  Buffer.from(`HTTP/1.1 ${code}\r\n\r\n`.repeat(count));
const then = (before: Buffer) => Buffer.concat([before, answer()]);
const small = { limits: { bodyBytes: 1 << 20 } };
const quick = { limits: { stallMs: 200, headMs: 200 } };

const statuses: readonly Row[] = [
  ["204", "HTTP/1.1 204 No Content\r\n\r\n", refused(204)],
  ...[201, 300, 418, 999].map((code): Row => [`${code}`, status(code), refused(code)]),
  ["206 with a range", status(206, list(rating(1)), "content-range: items 0-0/3"), refused(206)],
  ["a redirect to itself", status(301, "", "location: /"), refused(301)],
  ["308 to a file", status(308, "", "location: file:///etc/passwd"), refused(308)],
  ["304 without a condition", "HTTP/1.1 304 Not Modified\r\n\r\n", refused(304)],
  ["400 with control characters", status(400, "\u001b[2Jrecount: all is well\n\0"), refused(400)],
  [
    "400, compressed",
    status(400, gzipSync("because"), "content-encoding: gzip"),
    fails(/answered 400: because/),
  ],
  ["400, a body without end", forever(head(400, "connection: close"), spaces(4096)), refused(400)],
  ["400, its body reset", reset(head(400, "content-length: 99") + "no"), refused(400)],
  ["401", status(401), fails(/rejects the credentials/, 4)],
  ...[403, 404].map((code): Row => [`${code}`, status(code), without]),
  ["429 once", inTurn(status(429), answer()), whole],
  ["429 for a week", status(429, "", "retry-after: 604800"), fails(/longer than/)],
  ["429 for minus a second", inTurn(status(429, "", "retry-after: -1"), answer()), whole],
  ["500 four times", inTurn(status(500), status(500), status(500), status(500), answer()), whole],
  ["500 for ever", status(500), out],
  [
    "503 until a date in no calendar",
    inTurn(status(503, "", "retry-after: 31 February"), answer()),
    whole,
  ],
  ["status 000", "HTTP/1.1 000 X\r\n\r\n", fails(/the answer is not HTTP .*after 5 attempts/)],
  ["100 Continue", then(interim(1, "100 Continue")), whole],
  ["100 Continue 17 times", then(interim(17, "100 Continue")), damaged],
  [
    "101 Switching Protocols",
    "HTTP/1.1 101 X\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
    damaged,
  ],
  [
    "103 Early Hints without end",
    forever("", interim(1, "103 Early Hints")),
    fails(/more than 16 interim/),
  ],
  [
    "103 Early Hints, then 100 Continue",
    then(Buffer.concat([interim(1, "103 E"), interim(1, "100 C")])),
    whole,
  ],
];

const framing: readonly Row[] = [
  [
    "a length one too short",
    `${head(200, `content-length: ${three.length - 1}`)}${threeText}`,
    damaged,
  ],
  [
    "a length one too long, then the end",
    ended(`${head(200, `content-length: ${three.length + 1}`)}${threeText}`),
    out,
  ],
  [
    "a length too long, then nothing",
    inTurn(`${head(200, "content-length: 9999")}${threeText}`, answer()),
    whole,
    quick,
  ],
  ["length 0", answer(""), damaged],
  ["a negative length", `${head(200, "content-length: -1")}${threeText}`, damaged],
  [
    "a length and chunks",
    `${head(200, "content-length: 2", "transfer-encoding: chunked")}2\r\n[]\r\n0\r\n\r\n`,
    damaged,
  ],
  ["chunks", chunked(chunk(three.subarray(0, 9)), chunk(three.subarray(9)), chunk("")), whole],
  ["chunks with trailers", chunked(chunk(three), "0\r\nx-checksum: 1\r\n\r\n"), whole],
  [
    "chunks, then an error as a trailer",
    chunked(chunk(three), "0\r\nx-stream-error: lost\r\n\r\n"),
    damaged,
  ],
  ["a chunk of negative size", chunked(chunk(three, "-5")), damaged],
  ["chunks without the last, then nothing", inTurn(chunked(chunk(three)), answer()), whole, quick],
  [
    "gzip as a transfer encoding",
    ended(Buffer.concat([Buffer.from(head(200, "transfer-encoding: gzip")), gzipSync(three)])),
    damaged,
  ],
  ["a body until the end", untilClose(three), whole],
  ["HTTP/1.0", untilClose(three, "HTTP/1.0"), whole],
  ["a body cut after a comma", untilClose(three.subarray(0, three.indexOf("},{") + 2)), damaged],
  ["a reset in the body", reset(`${head(200, "content-length: 999")}[{`), out],
  ["a reset before the head", reset(""), out],
  ["nothing", inTurn(() => undefined, answer()), whole, quick],
  ["a head without end", forever(head(200).slice(0, -2), `x: ${"y".repeat(99)}\r\n`), damaged],
  ["17 KiB of head", answer(three, `x: ${"y".repeat(17_000)}`), damaged],
  ["500 headers", answer(three, ...manyHeaders(500)), whole],
  ["a header with NUL", answer(three, "x: a\0b"), damaged],
  ["a body without a head", three, damaged],
  ["each byte alone", byByte(answer()), whole],
  ["a second response behind the first", Buffer.concat([answer(), answer("[]")]), whole],
  [
    "spaces without end",
    forever(`${head(200, "connection: close")}[`, spaces(4096)),
    tooLarge,
    small,
  ],
];

const encodings: readonly Row[] = [
  [
    "deflate without its header",
    answer(deflateRawSync(three), "content-encoding: deflate"),
    damaged,
  ],
  [
    "a gzip bomb",
    answer(gzipSync(`[${spaces(1 << 22)}]`), "content-encoding: gzip"),
    tooLarge,
    small,
  ],
  [
    "gzip that unpacks to nothing, without end",
    forever(head(200, "content-encoding: gzip"), gzipSync("")),
    tooLarge,
    small,
  ],
  [
    "text/html",
    answer().toString().replace("application/json", "text/html; charset=latin1"),
    whole,
  ],
  ["a byte order mark", answer(`\ufeff${threeText}`), whole],
];

const pages: readonly Row[] = [
  [
    "a link to the next page",
    answer(three, 'link: </?page=2>; rel="next"'),
    fails(/one page of a longer list \(link/),
  ],
  ["a total above, once", inTurn(answer(three, "x-total-count: 4"), answer()), whole],
  [
    "an envelope",
    answer(`{"data":${threeText},"next":"/?page=2"}`),
    fails(/an object, not the list .*\{"data"/),
  ],
  [
    "an error object",
    answer('{"error":"try later"}'),
    fails(/an object, not the list .*try later/),
  ],
];

/** Statuses, framing, encodings and signs of pages; test/client/ has more encodings, and every header of pages. */
const wire = { statuses, framing, encodings, pages };

const raw = (hex: string) =>
  Buffer.concat([Buffer.from('"'), Buffer.from(hex, "hex"), Buffer.from('"')]);
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const names = (count: number) => Array.from({ length: count }, (_, i) => `,"f${i}":${i}`).join("");
const experiment = (id: string) => `{"id":${id},"name":"n","type":"pairwise_image"}`;
const experiments = { at: "experiments" };

const bodies: readonly Row[] = [
  ["an empty list", answer("[]"), rows(0)],
  ...["", "null", '"[]"', "{}", "<html></html>", "// x\n[]"].map((text): Row => [
    `${JSON.stringify(text)} for a list`,
    answer(text),
    damaged,
  ]),
  ...["[", "]", "[]x", "[]\0", "[,1]", "[1,]", '[{"a":1}', '["a', "[1}"].map((text): Row => [
    JSON.stringify(text),
    answer(text),
    damaged,
  ]),
  [
    "a comma without an element",
    answer(`[${row(1)},,${row(2)}]`),
    fails(/a comma without an element/),
  ],
  ["JSON lines", answer(`${row(1)}\n${row(2)}\n`), fails(/an object, not the list/)],
  ["2 MB of blanks", answer(`${spaces(1e6)}[${row(1)}${spaces(1e6)},${row(2)},${row(3)}]`), whole],
  [
    "half a list, then a whole one",
    inTurn(untilClose(three.subarray(0, 99)), answer(list(rating(7)))),
    rows(1),
  ],
  [
    "a new list at each of four cuts",
    inTurn(...[1, 2, 3, 4].map((i) => untilClose(`[${row(i)},`)), answer()),
    whole,
  ],
  ["an element twice", answer(list(rating(1), rating(1))), { exit: 2, rows: 2, quarantined: 0 }],
];

const elements: readonly Row[] = [
  ...["null", '"x"', "[[]]", "NaN", "{]", "{'a':1}", "\0", "\u00a0", "/**/"].map((text): Row => [
    `the element ${JSON.stringify(text)}`,
    odd(text),
    two,
  ]),
  ["two elements without a comma", answer(`[${row(1)},${row(2)}${row(3)},${row(4)}]`), two],
  ["an empty object", odd("{}"), whole],
  ["an object that ends with a comma", odd('{"a":1,}'), whole],
  ["a field twice", odd(rating(2, {}, ',"score":2')), two],
  ["an escaped name", odd(rating(2, {}, ',"\\u0073core":2')), two],
  ...["__proto__", "", "a/b~c", "$.x", "_meta", "ordinal", "x".repeat(10_000)].map((name): Row => [
    `a field called ${JSON.stringify(name.slice(0, 20))}`,
    odd(rating(2, {}, `,${JSON.stringify(name)}:{"a":1}`)),
    whole,
  ]),
  ["a thousand unknown fields", odd(rating(2, {}, names(1000))), whole],
  ["an element of 17 MiB", field("stimulus", `"${"x".repeat(17 << 20)}"`), two],
];

const text: readonly Row[] = [
  ...["00", "0d0a", "1e1f0a"].map((hex): Row => [
    `a raw 0x${hex} in text`,
    field("stimulus", raw(`41${hex}42`)),
    two,
  ]),
  ...["c080", "ff", "eda080", "f4908080", "e282"].map((hex): Row => [
    `bytes ${hex} in text`,
    field("stimulus", raw(hex)),
    two,
  ]),
  ...["efbbbf", "efbfbe", "f09f9880"].map((hex): Row => [
    `the character of bytes ${hex} in text`,
    field("stimulus", raw(hex)),
    whole,
  ]),
  ['the text "\\"', field("stimulus", '"\\"'), damaged],
  ...['"\\udc00\\ud800"', '"\\x41"', "'x'"].map((value): Row => [
    `the text ${value}`,
    field("stimulus", value),
    two,
  ]),
  ...['"\\u0000"', '"\\ud83d\\ude00"', '"\\/"', "null"].map((value): Row => [
    `the text ${value}`,
    field("stimulus", value),
    whole,
  ]),
];

const values: readonly Row[] = [
  ...["-1e400", '"1"', "[1]", "NaN", "0x10", "01", "+1", ".5", "1e"].map((value): Row => [
    `the score ${value}`,
    field("score", value),
    two,
  ]),
  ...["-0", "1e-400", "1E5", "9".repeat(50), "null"].map((value): Row => [
    `the score ${value}`,
    field("score", value),
    whole,
  ]),
  ...["1.0", "1e2", '"7"', "-9223372036854775809", "9".repeat(400), "{}"].map((value): Row => [
    `the slate ${value.slice(0, 30)}`,
    field("slate_id", value),
    two,
  ]),
  ...["-9223372036854775808", "-0", "null"].map((value): Row => [
    `the slate ${value}`,
    field("slate_id", value),
    whole,
  ]),
  ...["0", '"true"'].map((value): Row => [
    `is_training ${value}`,
    field("is_training", value),
    two,
  ]),
  ...["5", "{}"].map((value): Row => [`the session ${value}`, field("session_id", value), two]),
  ['the meta {"a":1,"a":2}', field("meta", '{"a":1,"a":2}'), two],
  ...["null", '{"__proto__":{"x":1}}', '{"isCorrect":"yes"}', "1e400"].map((value): Row => [
    `the meta ${value}`,
    field("meta", value),
    whole,
  ]),
  ...[1001, 20_000].map((depth): Row => [`meta ${depth} deep`, field("meta", deep(depth)), whole]),
  ["an unknown field 20,000 deep", odd(rating(2, {}, `,"x":${deep(20_000)}`)), whole],
  ["an element that only opens, 20,000 deep", answer(`[${row(1)},${"[".repeat(20_000)}]`), damaged],
];

const validators: readonly Row[] = [
  ...["x", '"a", "b"', `"${"x".repeat(9000)}"`, ""].map((tag): Row => [
    `the ETag ${tag.slice(0, 20)}`,
    answer(three, `etag: ${tag}`),
    whole,
  ]),
  ["two ETags", answer(three, 'etag: "a"', 'etag: "b"'), whole],
];

const identifiers: readonly Row[] = [
  ["no experiment", answer("[]"), rows(0), experiments],
  ["an experiment", answer(`[${experiment('"exp1"')}]`), others(0), experiments],
  ...['"../../x"', '""', "null", '"\\u0000"', "[]", '"exp1"'].map((id): Row => [
    `one more experiment with the id ${id}`,
    answer(`[${experiment('"exp1"')},${experiment(id)}]`),
    others(2),
    experiments,
  ]),
  [
    "only an experiment that is not there",
    answer(`[${experiment('"none"')}]`),
    fails(/nothing at/, 4),
    experiments,
  ],
  [
    "one more experiment that is not there",
    answer(`[${experiment('"none"')},${experiment('"exp1"')}]`),
    others(2),
    experiments,
  ],
  ["a damaged experiment", answer('[{"id":"exp1","name":"a\nb"}]'), others(2), experiments],
];

const data = { bodies, elements, text, values, validators, identifiers };

/** Everything that the hostile service sends, and what must happen, by title. A row is one export into an empty lake. */
export const scenarios: readonly (readonly [title: string, scenario: Scenario])[] = Object.entries({
  ...wire,
  ...data,
}).flatMap(([topic, table]) =>
  table.map(
    ([sends, reply, must, more]) => [`${topic}: ${sends}`, { reply, must, ...more }] as const,
  ),
);
