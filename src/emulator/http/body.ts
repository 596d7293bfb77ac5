import { Response, type FormData } from "undici";
import { HttpError, invalid } from "./http-error.js";

/** How deep objects and lists in a body may be nested: an assumption, docs/emulator.md. */
const maxDepth = 100;

/** Whether a body is a form; media types have no case (RFC 9110, 8.3.1). */
export const isForm = (contentType = ""): boolean =>
  (contentType.split(";")[0] ?? "").trim().toLowerCase() !== "application/json";

/** The value of a body in any of the three encodings; undefined when it is empty. @throws HttpError 400. */
export async function readBody(contentType: string, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  try {
    const value: unknown = isForm(contentType)
      ? fieldsOf(await formOf(contentType, bytes))
      : JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isTooDeep(value)) throw invalid(`Body: nested deeper than ${maxDepth} levels.`);
    return value;
  } catch (error) {
    throw error instanceof HttpError ? error : invalid("Body: cannot be read.");
  }
}

function formOf(contentType: string, bytes: Buffer): Promise<FormData> {
  // Deprecated for servers because it keeps the form in memory; a body here has at most 1 MiB.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return new Response(bytes, { headers: { "content-type": contentType } }).formData();
}

/** The fields of a form: text, or a list of texts when a field is repeated. `config` may be JSON text. */
function fieldsOf(form: FormData): Record<string, unknown> {
  const fields = new Map<string, unknown[]>();
  for (const [name, value] of form) {
    if (typeof value !== "string") throw invalid(`Body: ${name} is a file; only text is read.`);
    const known = fields.get(name);
    if (known === undefined) fields.set(name, [name === "config" ? parsed(value) : value]);
    else known.push(value);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Level by level: a recursive function would overflow its stack on what it is meant to find. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : []));
  }
  return false;
}
