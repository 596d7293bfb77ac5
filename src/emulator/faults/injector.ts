import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Static, TObject } from "typebox";
import { Enum, operationNames } from "../../contract/index.js";
import { type Clock, seededRandom, Type } from "../../platform/index.js";
import { type OutgoingResponse, pieces, type Sent, textsOf, write } from "../http/response.js";
import { readValue, ruleReader } from "../rule-reader.js";
import { type FaultKind, registry, type Transmission } from "./kinds.js";

type Registry = typeof registry;

/** A fault as a rule states it: `{ kind, …fields }`. */
export type Fault = {
  [N in keyof Registry]: Registry[N] extends FaultKind<infer K, infer P> ? { kind: K } & Static<TObject<P>> : never;
}[keyof Registry];

const kinds = new Map(Object.values(registry).map((one) => [one.kind as string, one as FaultKind]));

/** Every kind of fault by name. */
export const faultKinds: ReadonlyMap<string, FaultKind> = kinds;

export function kindOf({ kind }: Fault): FaultKind {
  const found = kinds.get(kind);
  if (found === undefined) throw new RangeError(`no fault ${kind}`);
  return found;
}

const closed = { additionalProperties: false } as const;

/** A fault and the requests that it is for. Each rule counts its own requests, from 1. */
const faultRuleSchema = Type.Object(
  {
    operation: Type.Optional(Enum(["*", ...operationNames])),
    experiment: Type.Optional(Type.String()),
    nth: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Array(Type.Integer({ minimum: 1 }))])),
    times: Type.Optional(Type.Integer({ minimum: 1, description: "Only the first requests, this many." })),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Drawn from the seed." })),
    fault: Type.Unsafe<Fault>({
      type: "object",
      required: ["kind"],
      discriminator: { propertyName: "kind" },
      oneOf: [...kinds.values()].map(({ kind, fields }) =>
        Type.Object({ kind: Type.Literal(kind), ...fields }, closed),
      ),
    }),
  },
  closed,
);

export type FaultRule = Static<typeof faultRuleSchema>;

/** @throws UsageError naming the rule, the field and the value. */
export const faultRules = ruleReader<FaultRule>(
  faultRuleSchema,
  'docs/emulator.md, "Fault injection", lists the faults',
);

/** Reads a YAML or JSON file with a list of fault rules. @throws UsageError. */
export const readFaultRules = async (path: string): Promise<FaultRule[]> => faultRules(await readValue(path), path);

/** A fault that a request matched, and the number of requests that its rule was applied to before. */
export interface Match {
  fault: Fault;
  applied: number;
}

/** The effects of the faults that one request matched, stage by stage. */
export interface Injection {
  beforeHandling(): Promise<void>;
  /** The response in place of the real one; undefined when no fault replaces it. */
  response(): OutgoingResponse | undefined;
  /** The response with changed rows, when it is a list. */
  withRows(outgoing: OutgoingResponse): OutgoingResponse;
  /** Sends the response when a fault acts on its bytes; undefined when none does. */
  transmit(response: ServerResponse, outgoing: OutgoingResponse): Promise<Sent> | undefined;
}

export function injectionOf(matches: readonly Match[], operation: string | null, clock: Clock): Injection {
  const effects = matches.map(({ fault, applied }) => {
    const context = { operation, applied, clock };
    return { fault, context, kind: kindOf(fault) };
  });
  return {
    async beforeHandling() {
      for (const { kind, fault, context } of effects) await kind.request?.(fault, context);
    },
    response() {
      const own = effects.find(({ kind }) => kind.response !== undefined);
      return own?.kind.response?.(own.fault, own.context);
    },
    withRows(outgoing) {
      const { status, body } = outgoing;
      if (status !== 200 || body === null || "whole" in body) return outgoing;
      if (!effects.some(({ kind }) => kind.rows !== undefined)) return outgoing;
      const texts = effects.reduce(
        (rows, { kind, fault, context }) => kind.rows?.(rows, fault, context) ?? rows,
        textsOf(body),
      );
      return { ...outgoing, body: { texts } };
    },
    transmit(response, { status, headers, body }) {
      const wire = effects.filter(({ kind }) => kind.wire !== undefined);
      if (wire.length === 0) return undefined;
      const isCompressed = wire.some(({ kind }) => kind.isCompressed);
      const bytes = Buffer.concat([...pieces(body)]);
      const full = isCompressed ? gzipSync(bytes) : bytes;
      const isList = body !== null && !("whole" in body);
      const plain: Transmission = { body: full, isList, framing: "content-length", ending: "complete", pace: null };
      const own = wire.reduce((so, { kind, fault }) => ({ ...so, ...kind.wire?.(so, fault) }), plain);
      const declared = own.ending === "complete" ? own.body.length : full.length;
      const allHeaders = {
        ...headers,
        ...(isCompressed ? { "content-encoding": "gzip" } : {}),
        ...(own.framing === "content-length" ? { "content-length": String(declared) } : {}),
      };
      return transmit(response, status, allHeaders, own, clock);
    },
  };
}

async function transmit(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  { body, framing, ending, pace }: Transmission,
  clock: Clock,
): Promise<Sent> {
  const sent = { bytes: body.length, complete: ending === "complete" };
  const { socket } = response;
  if (ending === "reset" && body.length === 0) {
    socket?.resetAndDestroy();
    return sent;
  }
  if (framing === "close") {
    response.shouldKeepAlive = false;
    response.useChunkedEncodingByDefault = false;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  if (pace === null) await write(response, body);
  else
    for (let at = 0; at < body.length && !response.destroyed; at += pace.bytes) {
      await write(response, body.subarray(at, at + pace.bytes));
      await clock.sleep(pace.every_ms);
    }
  if (ending === "complete" || (ending === "truncated" && framing === "close")) response.end();
  else if (ending === "truncated") socket?.destroySoon();
  else socket?.once("drain", () => undefined).write("", () => socket.resetAndDestroy());
  return sent;
}

/** One request and the faults injected into it, without headers and bodies. */
export interface JournalEntry {
  number: number;
  at: string;
  method: string;
  path: string;
  operation: string | null;
  experiment: string | null;
  faults: Fault[];
  /** Null until the response is sent or broken. */
  status: number | null;
  bytes: number;
  /** Whether the whole response was sent. */
  is_complete: boolean;
}

type RequestInfo = Pick<JournalEntry, "method" | "path" | "operation" | "experiment">;

/** The fault rules in force and the journal of all requests. */
export interface FaultInjector {
  /** Replaces all rules and restarts their counts. */
  set(rules: readonly FaultRule[]): void;
  rules(): FaultRule[];
  journal(): readonly JournalEntry[];
  clearJournal(): void;
  /** Records a request and returns the effects of the rules that it matches. */
  match(request: RequestInfo): { entry: JournalEntry; injection: Injection };
}

const maxEntries = 100_000;

export function createFaultInjector(initial: readonly FaultRule[], seed: number, clock: Clock): FaultInjector {
  const countedOf = (rules: readonly FaultRule[]) => rules.map((rule) => ({ rule, seen: 0, applied: 0 }));
  let counted = countedOf(initial);
  let random = seededRandom(seed);
  let entries: JournalEntry[] = [];
  let number = 0;

  function apply(own: (typeof counted)[number]): Match[] {
    own.seen += 1;
    const { nth, times, probability, fault } = own.rule;
    if (nth !== undefined && ![nth].flat().includes(own.seen)) return [];
    if (times !== undefined && own.applied >= times) return [];
    if (probability !== undefined && random() >= probability) return [];
    own.applied += 1;
    return [{ fault, applied: own.applied - 1 }];
  }

  return {
    set(rules) {
      counted = countedOf(rules);
      random = seededRandom(seed);
    },
    rules: () => counted.map(({ rule }) => rule),
    journal: () => entries,
    clearJournal() {
      entries = [];
    },
    match(request) {
      const matches = counted.filter(({ rule }) => isFor(rule, request)).flatMap(apply);
      number += 1;
      const entry: JournalEntry = {
        ...request,
        number,
        at: clock.now().toISOString(),
        faults: matches.map(({ fault }) => fault),
        status: null,
        bytes: 0,
        is_complete: false,
      };
      entries.push(entry);
      if (entries.length > maxEntries) entries.splice(0, maxEntries / 10);
      return { entry, injection: injectionOf(matches, request.operation, clock) };
    },
  };
}

const isFor = ({ operation = "*", experiment }: FaultRule, request: RequestInfo): boolean =>
  (operation === "*" || operation === request.operation) &&
  (experiment === undefined || experiment === request.experiment);
