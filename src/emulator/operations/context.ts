import type { BodyName, BodyOf } from "../../contract/index.js";
import { notFound } from "../http/http-error.js";
import type { OutgoingResponse } from "../http/outgoing.js";
import type { Emulator } from "../emulator.js";
import type { Project, Study } from "../state/state.js";

/** A request that has passed authentication, roles and validation. */
export interface RequestContext {
  emulator: Emulator;
  project: Project;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
}

/** A valid body of either version: every field with a default is there, and every field that its version requires. */
export type Filled<N extends BodyName> = Required<BodyOf<N>> & Partial<BodyOf<N, "0.7.5">>;

export type Handler = (context: RequestContext) => OutgoingResponse | Promise<OutgoingResponse>;

/** @throws HttpError 404. */
export function findOr404<T>(map: ReadonlyMap<string, T>, id: string | undefined, what: string): T {
  const found = map.get(id ?? "");
  if (found === undefined) throw notFound(what);
  return found;
}

export const studyOf = ({ project, params }: RequestContext): Study =>
  findOr404(project.studies, params.experiment_id, "experiment");
