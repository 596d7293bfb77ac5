import type { BodyEncoding } from "../contract/index.js";
import { randomHex } from "../platform/index.js";

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The fields of a form: a list repeats its field, and what is neither text nor a list is JSON. */
const fieldsOf = (body: unknown): [string, string][] =>
  Object.entries(body as Record<string, unknown>).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, textOf(one)]),
  );

/** Escapes a field name in a header (WHATWG HTML, "Multipart form data"). */
const escaped = (name: string) => name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** A body's text and media type in one of the encodings that the interface accepts. */
export const encoders: Record<BodyEncoding, (body: unknown) => { type: string; text: string }> = {
  "application/json": (body) => ({ type: "application/json", text: JSON.stringify(body) }),
  "application/x-www-form-urlencoded": (body) => ({
    type: "application/x-www-form-urlencoded",
    text: new URLSearchParams(fieldsOf(body)).toString(),
  }),
  "multipart/form-data": (body) => {
    const boundary = `recount-${randomHex(12)}`;
    const parts = fieldsOf(body).map(
      ([name, text]) => `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${text}\r\n`,
    );
    return { type: `multipart/form-data; boundary=${boundary}`, text: `${parts.join("")}--${boundary}--\r\n` };
  },
};
