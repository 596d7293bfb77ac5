import { UsageError, Type } from "../platform/index.js";

/** Source: service-api.md, "Limits": every identifier in a path matches this pattern. */
export const identifierPattern = "^[a-zA-Z0-9]+$";

const matcher = new RegExp(identifierPattern);

export const Identifier = Type.String({ pattern: identifierPattern });

export function isIdentifier(text: string): boolean {
  return matcher.test(text);
}

/** Returns `text` when a path may contain it. @throws UsageError naming `name` and the value. */
export function checkIdentifier(name: string, text: string): string {
  if (isIdentifier(text)) return text;
  throw new UsageError(
    `${name} ${JSON.stringify(text)} is not an identifier of the service: use letters and digits only.`,
  );
}
