import type { Redact } from "../platform/index.js";
import { TerminalFailure, TransientFailure } from "./failures.js";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A number of elements that the head of a response announces, and the header that does. */
export interface Announced {
  readonly elements: number;
  readonly header: string;
}

/** Signs of pages by the name of a header, in lower case without `x-` and `pagination-`. */
const next = /^(next(-(page|cursor|token|link|url|offset))*|(ms-)?continuation(-token)?|has-(more|next(-page)?))$/;
const pages = /^((total-)?pages|(total-)?page-count)$/;
const total = /^total(-(count|items|results|elements|records))?$/;
const nothing = new Set(["", "0", "-1", "false", "null", "none"]);
const nextLink = /;\s*rel\s*=\s*("[^"]*\bnext\b[^"]*"|next\b)/i;
const range = /^\s*(\S+)\s+(?:(\d+)-(\d+)|\*)\s*\/\s*(\d+|\*)\s*$/;

function isPartial(value: string): boolean {
  const [, , from = "0", to = "-1", of = "*"] = range.exec(value) ?? [];
  return Number(from) > 0 || (of !== "*" && Number(to) + 1 < Number(of));
}

/** The fields of a header that holds a JSON object, named as headers are. */
function fieldsOf(value: string): [string, string][] {
  try {
    const object = JSON.parse(value) as unknown;
    if (typeof object !== "object" || object === null) return [];
    return Object.entries(object).map(([name, one]) => [
      name.replaceAll(/([a-z])([A-Z])/g, "$1-$2").replaceAll("_", "-"),
      String(one ?? ""),
    ]);
  } catch {
    return [];
  }
}

/**
 * What the head of a list's response says about its length. The interface has no pages.
 * @throws TerminalFailure when it says that the list continues elsewhere
 */
export function announcedBy(operation: string, headers: Headers, redact: Redact): Announced | undefined {
  let most: Announced | undefined;
  const look = (name: string, value: string, header: string) => {
    const key = name
      .toLowerCase()
      .replace(/^x-/, "")
      .replace(/^pagination-/, "");
    const isMore =
      (key === "link" && nextLink.test(value)) ||
      (key === "content-range" && isPartial(value)) ||
      (next.test(key) && !nothing.has(value.trim().toLowerCase())) ||
      (pages.test(key) && Number(value) > 1);
    if (isMore)
      throw new TerminalFailure(
        `${operation}: the service sent one page of a longer list (${redact(header).slice(0, 120)}). Recount reads lists in one piece; the interface has no pages.`,
      );
    const said = key === "content-range" && !/^\s*bytes/i.test(value) ? (range.exec(value)?.[4] ?? "") : value.trim();
    if ((total.test(key) || key === "content-range") && /^\d+$/.test(said) && Number(said) > (most?.elements ?? -1))
      most = { elements: Number(said), header: redact(header).slice(0, 120) };
    if (key === "pagination") for (const [field, one] of fieldsOf(value)) look(field, one, header);
  };
  for (const [name, values] of Object.entries(headers))
    for (const value of [values ?? []].flat()) look(name, value, `${name}: ${value}`);
  return most;
}

/** @throws TransientFailure when fewer elements came than the response announced: perhaps the list was changing. */
export function checkAnnounced(operation: string, elements: number, announced: Announced | undefined): void {
  if (announced !== undefined && elements < announced.elements)
    throw new TransientFailure(
      `${operation}: ${elements} elements came, but the service announced ${announced.elements} (${announced.header}).`,
    );
}
