import type { BodyName, BodyOf } from "../contract/index.js";
import type { Clock, Random } from "../platform/index.js";
import type { Background } from "./background.js";
import type { FaultInjector } from "./faults/injector.js";
import { notFound, type OutgoingResponse } from "./http/response.js";
import type { EmulatorSettings } from "./options.js";
import type { ResultsCache } from "./publishing/results.js";
import { identifier } from "./simulation/draws.js";
import type { JobRunner } from "./simulation/jobs.js";
import type { Project, State, Study } from "./state.js";

/** The parts of an emulator, as request handlers reach them. */
export interface Emulator {
  state: State;
  results: ResultsCache;
  faults: FaultInjector;
  jobs: JobRunner;
  settings: EmulatorSettings;
  clock: Clock;
  random: Random;
  /** Set once the server listens. */
  address: { url: string };
  /** Work that closing waits for. */
  background: Background;
}

/** Now, in the format of the interface. */
export const instant = ({ clock }: Emulator): string => clock.now().toISOString();

export const instantIn = ({ clock }: Emulator, seconds: number): string =>
  new Date(clock.now().getTime() + 1000 * seconds).toISOString();

/** An identifier that is not taken. */
export function freshIdentifier(emulator: Emulator, isTaken: (id: string) => boolean, length = 8): string {
  const id = identifier(emulator.random, length);
  return isTaken(id) ? freshIdentifier(emulator, isTaken, length) : id;
}

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

/** Changes the state in one turn of the event loop, so that every request sees the changes of the ones before it. */
export type Handler = (context: RequestContext) => OutgoingResponse;

/** @throws HttpError 404. */
export function findOr404<T>(map: ReadonlyMap<string, T>, id: string | undefined, what: string): T {
  const found = map.get(id ?? "");
  if (found === undefined) throw notFound(what);
  return found;
}

export const studyOf = ({ project, params }: RequestContext): Study =>
  findOr404(project.studies, params.experiment_id, "experiment");
