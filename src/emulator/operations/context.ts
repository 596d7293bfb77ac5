import type { Service } from "../service.js";
import { notFound } from "../http/http-error.js";
import type { Outgoing } from "../http/outgoing.js";
import type { Project, Study } from "../state/state.js";

/** A request that has passed authentication, roles and validation. */
export interface Asked {
  service: Service;
  project: Project;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
}

export type Handler = (asked: Asked) => Outgoing | Promise<Outgoing>;

/** @throws HttpFailure 404. */
export function found<T>(map: ReadonlyMap<string, T>, id: string | undefined, what: string): T {
  const one = map.get(id ?? "");
  if (one === undefined) throw notFound(what);
  return one;
}

export const studyOf = ({ project, params }: Asked): Study =>
  found(project.studies, params["experiment_id"], "experiment");
