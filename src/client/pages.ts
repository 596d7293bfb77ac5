/** What headers say about the length of a list. */
import { jsonIn, textOrJson } from "../platform/index.js";
import type { Redact } from "./secrets.js";
import { TerminalFailure, TransientFailure } from "./failures.js";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Announced {
  readonly elements: number;
  readonly header: string;
}

type HeaderSays = "one page" | "unclear" | number | undefined;

const emptyValues = new Set(["", "0", "-1", "false", "no", "null", "none"]);

const flagSays = (value: string): HeaderSays =>
  emptyValues.has(value.toLowerCase()) ? undefined : "one page";

/** With thousands separators, or repeated, as proxies join two equal headers. */
function countInHeader(value: string): number | undefined {
  if (/^\d{1,3}(,\d{3})+$/.test(value)) return Number(value.replaceAll(",", ""));
  const counts = value.split(",").map((one) => one.trim());
  return counts.every((one) => /^\d+$/.test(one)) ? Math.max(...counts.map(Number)) : undefined;
}

const totalSays = (value: string): HeaderSays =>
  value === "" ? undefined : (countInHeader(value) ?? "unclear");

function pagesSay(value: string): HeaderSays {
  const said = totalSays(value);
  if (typeof said !== "number") return said;
  return said > 1 ? "one page" : undefined;
}

/**
 * RFC 9110, 14.4; the unit may be missing, and is separated by `=` where the sender copied it from
 * `Range`.
 */
const contentRange = /^(?:([a-z][\w-]*)[\s=]\s*)?(?:(\d+)-(\d+)|\*)\s*\/\s*(?:(\d+)|\*)$/i;

function rangeSays(value: string): HeaderSays {
  const parsed = contentRange.exec(value);
  if (parsed === null) return "unclear";
  const [, unit = "", from = "0", to = "-1", of] = parsed;
  if (of === undefined) return "unclear";
  if (Number(from) > 0 || Number(to) + 1 < Number(of)) return "one page";
  return unit.toLowerCase() === "bytes" ? undefined : Number(of);
}

/** One link and its parameters (RFC 8288, 3), with the single quotes that some software writes. */
const value = /(?:"[^"]*"|'[^']*'|[^\s;,"']+)/.source;
const parameter = `(?:[\\w!#$%&*+.^\`|~-]+(?:\\s*=\\s*${value})?)?`;
const link = new RegExp(`\\s*<([^>]*)>((?:\\s*;\\s*${parameter})*)\\s*(?:,|$)`, "y");
const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))/i;

function linkSays(value: string): HeaderSays {
  const targets = new Map<string, string>();
  for (link.lastIndex = 0; link.lastIndex < value.length;) {
    const [, target = "", parameters] = link.exec(value) ?? [];
    if (parameters === undefined) return "unclear";
    const [, ...named] = relation.exec(parameters) ?? [];
    for (const name of named.join(" ").toLowerCase().split(/\s+/)) targets.set(name, target);
  }
  if (["next", "prev", "previous"].some((name) => targets.has(name))) return "one page";
  const last = targets.get("last");
  return last === undefined || last === targets.get("first") || last === targets.get("self")
    ? undefined
    : "one page";
}

const noun = "(items?|results?|records?|rows?|elements?|objects?|entries|hits|matches|documents?)";

/** By names in lower case, of letters only and without `x-`; the first that matches. */
const headerSigns: readonly (readonly [name: RegExp, says: (value: string) => HeaderSays])[] = [
  [/^link$/, linkSays],
  [/^contentrange$/, rangeSays],
  [/ratelimit|quota|bytes|time|cost|price/, () => undefined],
  [/(next(page|cursor|token|link|url|offset|key|marker)*|continuation(token)?)$/, flagSays],
  [new RegExp(`more(pages|data|available|${noun})?$`), flagSays],
  [/truncat(ed|ion)$|^(is)?(partial|incomplete)/, flagSays],
  [/pages$|pages?(count|total)$|(total|last)page$/, pagesSay],
  [new RegExp(`total(count|${noun})?$|${noun}(count|total)$|^count$`), totalSays],
];

function headerFields(value: string): [name: string, value: string][] | undefined {
  const flat = (object: object): [string, string][] =>
    Object.entries(object).flatMap(([name, one]: [string, unknown]) =>
      typeof one === "object" && one !== null ? flat(one) : [[name, textOrJson(one)]],
    );
  const object = jsonIn(value);
  return typeof object === "object" && object !== null ? flat(object) : undefined;
}

/**
 * What headers or trailers say about a list's length. The interface has no pages.
 * @throws TerminalFailure when the list continues elsewhere, or a header cannot be read
 */
export function announcedBy(
  operation: string,
  headers: Headers,
  redact: Redact,
): Announced | undefined {
  let most: Announced | undefined;
  const look = (name: string, value: string, text: string) => {
    const letters = name
      .toLowerCase()
      .replaceAll(/[^a-z]/g, "")
      .replace(/^x/, "");
    const header = redact(text).slice(0, 120);
    const fields = letters === "pagination" ? headerFields(value) : [];
    const said =
      fields === undefined
        ? "unclear"
        : headerSigns.find(([pattern]) => pattern.test(letters))?.[1](value.trim());
    if (said === "one page")
      throw new TerminalFailure(
        `${operation}: the service sent one page of a longer list (${header}). Recount ` +
          "reads lists in one piece; the interface has no pages.",
      );
    if (said === "unclear")
      throw new TerminalFailure(
        `${operation}: the service does not say whether the list is whole (${header}). ` +
          "Recount takes only whole lists.",
      );
    if (said !== undefined && said > (most?.elements ?? -1)) most = { elements: said, header };
    for (const [field, one] of fields ?? []) look(field, one, text);
  };
  for (const [name, values] of Object.entries(headers))
    for (const value of [values ?? []].flat()) look(name, value, `${name}: ${value}`);
  return most;
}

/** @throws TransientFailure when fewer elements came than announced. */
export function checkAnnounced(
  operation: string,
  elements: number,
  announced: Announced | undefined,
): void {
  if (announced !== undefined && elements < announced.elements)
    throw new TransientFailure(
      `${operation}: ${elements} elements came, but the service announced ` +
        `${announced.elements} (${announced.header}).`,
    );
}
