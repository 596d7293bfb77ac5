import { timingSafeEqual } from "node:crypto";
import type { Operation } from "../../contract/index.js";
import type { Clock } from "../../platform/index.js";
import type { Project, Role, State, User } from "../state/state.js";
import { HttpError, notFound } from "./response.js";

export type Scheme = "api-key" | "basic" | "cookie";

/** Who sent a request. */
interface Principal {
  scheme: Scheme;
  role: Role;
  project_id: string | null;
  organization_id: string | null;
  /** Identifies the caller for rate limits. */
  caller: string;
}

/** Compares secrets in constant time. */
export const isSameText = (a: string, b: string): boolean => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
};

export const unauthorized = (detail: string): HttpError =>
  new HttpError(401, "not_authenticated", detail, [], { "www-authenticate": 'Api-Key realm="recount"' });

/** @throws HttpError 401 when the request carries no accepted credentials. */
export function principalOf(
  state: State,
  headers: { authorization?: string | undefined; cookie?: string | undefined },
  schemes: readonly Scheme[],
): Principal {
  const { authorization, cookie } = headers;
  const [, scheme = "", rest = ""] = /^([\w-]+) +(.+)$/.exec(authorization?.trim() ?? "") ?? [];
  if (authorization !== undefined) {
    if (scheme.toLowerCase() === "api-key" && schemes.includes("api-key")) return byKey(state, rest);
    if (scheme.toLowerCase() === "basic" && schemes.includes("basic")) return byPassword(state, rest);
    throw unauthorized("The Authorization header names no scheme that is accepted here.");
  }
  const sessionId = /(?:^|;\s*)sessionid=([^;]*)/.exec(cookie ?? "")?.[1];
  if (sessionId !== undefined && schemes.includes("cookie")) {
    const user = [...state.users.values()].find((one) => isSameText(one.session_id, sessionId));
    if (user === undefined) throw unauthorized("The session is unknown or has ended.");
    return ofUser("cookie", user);
  }
  throw unauthorized("Authentication credentials were not provided.");
}

function byKey(state: State, text: string): Principal {
  const key = [...state.keys.values()].find((one) => isSameText(one.key, text.trim()));
  if (key === undefined) throw unauthorized("The API key is not valid.");
  return {
    scheme: "api-key",
    role: key.role,
    project_id: key.project_id,
    organization_id: key.organization_id,
    caller: `key ${key.key}`,
  };
}

function byPassword(state: State, text: string): Principal {
  const [username = "", ...password] = Buffer.from(text, "base64").toString("utf8").split(":");
  const user = state.users.get(username);
  if (user === undefined || !isSameText(user.password, password.join(":")))
    throw unauthorized("Username or password is wrong.");
  return ofUser("basic", user);
}

const ofUser = (scheme: Scheme, { role, project_id, username }: User): Principal => ({
  ...{ scheme, role, project_id, organization_id: null },
  caller: `user ${username}`,
});

/**
 * The project of a request, if the principal may see it; otherwise the project is reported as unknown.
 * @throws HttpError 404 unknown or another's, 403 when the role is not sufficient.
 */
export function projectFor(state: State, principal: Principal, id: string, operation: Operation): Project {
  const project = state.projects.get(id);
  if (project === undefined) throw notFound("project");
  const mine = principal.project_id === id || principal.organization_id === project.organization_id;
  if (!mine) throw notFound("project");
  checkRole(principal, operation);
  return project;
}

/** @throws HttpError 404 unknown or another's organization, 403 when the key or role is not sufficient. */
export function organizationFor(state: State, principal: Principal, id: string, operation: Operation): void {
  if (principal.organization_id === null)
    throw new HttpError(403, "permission_denied", "This needs an API key of the organization.");
  if (!state.organizations.has(id) || principal.organization_id !== id) throw notFound("organization");
  checkRole(principal, operation);
}

function checkRole({ scheme, role }: Principal, { roles }: Operation): void {
  if (roles === undefined) return;
  if (scheme === "api-key" && roles.includes(role)) return;
  const names = roles.map((one) => one.replace("_", " ")).join(" or ");
  throw new HttpError(403, "permission_denied", `This needs an API key created by a ${names}.`);
}

/** Counts the requests of each caller in windows of fixed length. */
export interface RateLimit {
  /** @throws HttpError 429 with the whole seconds to wait in Retry-After. */
  count(caller: string): void;
}

export function createRateLimit(limit: { requests: number; seconds: number } | null, clock: Clock): RateLimit {
  const windows = new Map<string, { endsAt: number; count: number }>();
  return {
    count(caller) {
      if (limit === null) return;
      const now = clock.monotonicMs();
      const last = windows.get(caller);
      const window = last === undefined || last.endsAt <= now ? { endsAt: now + 1000 * limit.seconds, count: 0 } : last;
      window.count += 1;
      windows.set(caller, window);
      if (window.count <= limit.requests) return;
      const wait = String(Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
      throw new HttpError(429, "throttled", `Too many requests; try again in ${wait} s.`, [], { "retry-after": wait });
    },
  };
}
