// The emulator as its parts see it: state, options, and the context of a request.
import {
  type BodyName,
  type BodyOf,
  type ApiVersion,
  defaultApiVersion,
} from "../contract/index.js";
import type { Clock, Random } from "../platform/index.js";
import type { FaultInjector, FaultRule } from "./faults/injector.js";
import { notFound, type OutgoingResponse } from "./http/response.js";
import type { PublishedResults } from "./publishing/results.js";
import { type PublishingRule, publishingRules } from "./publishing/rules.js";
import { randomId } from "./simulation/draws.js";
import type { Project, State, Study } from "./state.js";

export interface Emulator {
  state: State;
  results: PublishedResults;
  faults: FaultInjector;
  settings: EmulatorSettings;
  clock: Clock;
  random: Random;
  /** Set once the server listens. */
  address: { url: string };
}

export const instantNow = ({ clock }: Emulator): string => clock.now().toISOString();

export const instantIn = ({ clock }: Emulator, seconds: number): string =>
  new Date(clock.now().getTime() + 1000 * seconds).toISOString();

/** An identifier for a new record, drawn from the seed. */
export const newIdentifier = ({ random }: Emulator): string => randomId(random);

/** After authentication, roles and validation. */
export interface RequestContext {
  emulator: Emulator;
  project: Project;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
}

/** A valid body of either version, with its defaults and what its version requires. */
export type Filled<N extends BodyName> = Required<BodyOf<N>> & Partial<BodyOf<N, "0.7.5">>;

/** In one turn of the event loop, so that every request sees the changes of those before it. */
export type Handler = (context: RequestContext) => OutgoingResponse;

/** @throws HttpError 404. */
export function findOr404<T>(map: ReadonlyMap<string, T>, id: string | undefined, what: string): T {
  const found = map.get(id ?? "");
  if (found === undefined) throw notFound(what);
  return found;
}

export const studyOf = ({ project, params }: RequestContext): Study =>
  findOr404(project.studies, params.experiment_id, "experiment");

export interface EmulatorOptions {
  /** Port on 127.0.0.1; 0 picks a free one. Default 0. */
  port?: number;
  /** Default true without case files. */
  sample?: boolean;
  /** Case files. */
  load?: readonly string[];
  /** Version of the record shapes. Default 0.8.3. */
  apiVersion?: ApiVersion;
  /** They override those of the data. Default none. */
  publishing?: PublishingRule[];
  /** Send an ETag with lists and honour If-None-Match. Default false. */
  etag?: boolean;
  /** Default none. */
  faults?: readonly FaultRule[];
  /** Seed of the simulation. Default 1. */
  seed?: number;
}

type EmulatorSettings = ReturnType<typeof emulatorSettings>;

/** @throws UsageError for a publishing rule that is not valid. */
export const emulatorSettings = (options: EmulatorOptions) => ({
  apiVersion: options.apiVersion ?? defaultApiVersion,
  publishing: publishingRules(options.publishing ?? [], "publishing"),
  etag: options.etag ?? false,
  seed: options.seed ?? 1,
});
