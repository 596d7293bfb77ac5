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

/** The parts of an emulator, as request handlers reach them. */
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

/** Now, in the format of the interface. */
export const instantNow = ({ clock }: Emulator): string => clock.now().toISOString();

export const instantIn = ({ clock }: Emulator, seconds: number): string =>
  new Date(clock.now().getTime() + 1000 * seconds).toISOString();

/** An identifier for a new record, drawn from the seed. */
export const newIdentifier = ({ random }: Emulator): string => randomId(random);

/** A request that has passed authentication, roles and validation. */
export interface RequestContext {
  emulator: Emulator;
  project: Project;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
}

/**
 * A valid body of either version: every field with a default is there, and every field that its
 * version requires.
 */
export type Filled<N extends BodyName> = Required<BodyOf<N>> & Partial<BodyOf<N, "0.7.5">>;

/**
 * Changes the state in one turn of the event loop, so that every request sees the changes of the
 * ones before it.
 */
export type Handler = (context: RequestContext) => OutgoingResponse;

/** @throws HttpError 404. */
export function findOr404<T>(map: ReadonlyMap<string, T>, id: string | undefined, what: string): T {
  const found = map.get(id ?? "");
  if (found === undefined) throw notFound(what);
  return found;
}

export const studyOf = ({ project, params }: RequestContext): Study =>
  findOr404(project.studies, params.experiment_id, "experiment");

/** How to start the emulator. */
export interface EmulatorOptions {
  /** Port on 127.0.0.1; 0 picks a free one. Default 0. */
  port?: number;
  /** Serve the sample project. Default true without case files. */
  sample?: boolean;
  /** Case files to serve in the same project. */
  load?: readonly string[];
  /** Version of the record shapes. Default 0.8.3. */
  apiVersion?: ApiVersion;
  /** Publishing rules; they override those of the data. Default none. */
  publishing?: PublishingRule[];
  /** Send an ETag with lists and honour If-None-Match. Default false. */
  etag?: boolean;
  /** Initial fault rules. Default none. */
  faults?: readonly FaultRule[];
  /** Seed of the simulation. Default 1. */
  seed?: number;
}

/** The options that request handlers read, with their defaults. */
type EmulatorSettings = ReturnType<typeof emulatorSettings>;

/** @throws UsageError for a publishing rule that is not valid. */
export const emulatorSettings = (options: EmulatorOptions) => ({
  apiVersion: options.apiVersion ?? defaultApiVersion,
  publishing: publishingRules(options.publishing ?? [], "publishing"),
  etag: options.etag ?? false,
  seed: options.seed ?? 1,
});
