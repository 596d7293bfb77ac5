import { timingSafeEqual } from "node:crypto";
import type { Operation } from "../../contract/index.js";
import type { Project, Role, State, User } from "../state.js";
import { HttpError, notFound } from "./response.js";

/** Who sent a request, and whether with an API key. */
interface Principal {
  hasKey: boolean;
  role: Role;
  project_id: string | null;
  organization_id: string | null;
}

/** Compares secrets in constant time. */
export const isSameText = (a: string, b: string): boolean => {
  const x = Buffer.from(a);
  const y = Buffer.from(b);
  return x.length === y.length && timingSafeEqual(x, y);
};

export const unauthorized = (detail: string): HttpError =>
  new HttpError(401, "not_authenticated", detail, [], { "www-authenticate": 'Api-Key realm="recount"' });

const denied = (detail: string): HttpError => new HttpError(403, "permission_denied", detail);

/** @throws HttpError 401 when the request carries no accepted credentials. */
export function principalOf(
  state: State,
  { authorization, cookie }: { authorization?: string | undefined; cookie?: string | undefined },
): Principal {
  if (authorization !== undefined) {
    const [, scheme = "", rest = ""] = /^([\w-]+) +(.+)$/.exec(authorization.trim()) ?? [];
    if (scheme.toLowerCase() === "api-key") return byKey(state, rest);
    if (scheme.toLowerCase() === "basic") return byPassword(state, rest);
    throw unauthorized("The Authorization header names no scheme that is accepted here.");
  }
  const sessionId = /(?:^|;\s*)sessionid=([^;]*)/.exec(cookie ?? "")?.[1];
  if (sessionId === undefined) throw unauthorized("Authentication credentials were not provided.");
  const user = [...state.users.values()].find((one) => isSameText(one.session_id, sessionId));
  if (user === undefined) throw unauthorized("The session is unknown or has ended.");
  return ofUser(user);
}

function byKey(state: State, text: string): Principal {
  const key = [...state.keys.values()].find((one) => isSameText(one.key, text.trim()));
  if (key === undefined) throw unauthorized("The API key is not valid.");
  return { ...key, hasKey: true };
}

function byPassword(state: State, text: string): Principal {
  const [username = "", ...password] = Buffer.from(text, "base64").toString("utf8").split(":");
  const user = state.users.get(username);
  if (user === undefined || !isSameText(user.password, password.join(":")))
    throw unauthorized("Username or password is wrong.");
  return ofUser(user);
}

const ofUser = ({ role, project_id }: User): Principal => ({ hasKey: false, role, project_id, organization_id: null });

/**
 * The project of a request, if the principal may see it; otherwise the project is reported as unknown.
 * @throws HttpError 404 unknown or another's, 403 when the role is not sufficient.
 */
export function projectFor(state: State, principal: Principal, id: string, operation: Operation): Project {
  const project = state.projects.get(id);
  if (project === undefined) throw notFound("project");
  if (principal.project_id !== id && principal.organization_id !== project.organization_id) throw notFound("project");
  checkRole(principal, operation);
  return project;
}

/** @throws HttpError 404 unknown or another's organization, 403 when the key or role is not sufficient. */
export function checkOrganization(state: State, principal: Principal, id: string, operation: Operation): void {
  if (principal.organization_id === null) throw denied("This needs an API key of the organization.");
  if (!state.organizations.has(id) || principal.organization_id !== id) throw notFound("organization");
  checkRole(principal, operation);
}

function checkRole({ hasKey, role }: Principal, { roles }: Operation): void {
  if (roles === undefined || (hasKey && roles.includes(role))) return;
  const names = roles.map((one) => one.replace("_", " ")).join(" or ");
  throw denied(`This needs an API key created by a ${names}.`);
}
