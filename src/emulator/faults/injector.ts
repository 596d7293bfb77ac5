// Matches requests with fault rules, applies the faults, and keeps the journal.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { Type, type Static } from "typebox";
import { Enum, operationNames } from "../../contract/index.js";
import { type Clock, seededRandom, strict } from "../../platform/index.js";
import type { OutgoingResponse } from "../http/response.js";
import { readValue, ruleReader } from "../rule-reader.js";
import { type Fault, type FaultKind, faultKinds, type Transmission } from "./kinds.js";

/** A fault and the requests that it is for. Each rule counts its own requests, from 1. */
const faultRuleSchema = Type.Object(
  {
    operation: Type.Optional(Enum(["*", ...operationNames])),
    experiment: Type.Optional(Type.String()),
    nth: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.Array(Type.Integer({ minimum: 1 }))]),
    ),
    times: Type.Optional(
      Type.Integer({ minimum: 1, description: "Only the first requests, this many." }),
    ),
    probability: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: "Drawn from the seed." }),
    ),
    fault: Type.Unsafe<Fault>({
      type: "object",
      required: ["kind"],
      discriminator: { propertyName: "kind" },
      oneOf: Object.entries(faultKinds).map(([kind, { fields }]) =>
        Type.Object({ kind: Type.Literal(kind), ...fields }, strict),
      ),
    }),
  },
  strict,
);

export type FaultRule = Static<typeof faultRuleSchema>;

/** @throws UsageError naming the rule, the field and the value. */
const faultRules = ruleReader<FaultRule>(
  faultRuleSchema,
  'docs/reference/emulator.md, "Fault injection", lists the faults',
);

/** Reads a YAML or JSON file with a list of fault rules. @throws UsageError. */
export const readFaultRules = async (path: string): Promise<FaultRule[]> =>
  faultRules(await readValue(path), path);

/** A request and its faults, without headers and bodies. */
interface JournalEntry {
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
  is_complete: boolean;
}

type RequestInfo = Pick<JournalEntry, "method" | "path" | "operation" | "experiment">;

export interface FaultInjector {
  /** Replaces all rules and restarts their counts. */
  set(rules: readonly FaultRule[]): void;
  journal(): readonly JournalEntry[];
  clearJournal(): void;
  /** Records a request and returns the effects of the rules that it matches. */
  match(request: RequestInfo): Injection;
}

const maxLoggedRequests = 100_000;

export function createFaultInjector(
  initial: readonly FaultRule[],
  seed: number,
  clock: Clock,
): FaultInjector {
  const countedOf = (rules: readonly FaultRule[]) =>
    rules.map((rule) => ({ rule, seen: 0, applied: 0 }));
  let counted = countedOf(initial);
  let random = seededRandom(seed);
  let entries: JournalEntry[] = [];
  let number = 0;

  /** Counts a request that a rule is for. */
  function applies(own: (typeof counted)[number]): boolean {
    own.seen += 1;
    const { nth, times, probability } = own.rule;
    if (nth !== undefined && ![nth].flat().includes(own.seen)) return false;
    if (times !== undefined && own.applied >= times) return false;
    if (probability !== undefined && random() >= probability) return false;
    own.applied += 1;
    return true;
  }

  return {
    set(rules) {
      counted = countedOf(rules);
      random = seededRandom(seed);
    },
    journal: () => entries,
    clearJournal() {
      entries = [];
    },
    match(request) {
      const { operation } = request;
      const matched = counted.filter((own) => isFor(own.rule, request) && applies(own));
      const effects = matched.map(({ rule: { fault }, applied }) => ({
        fault,
        kind: faultKinds[fault.kind],
        context: { operation, applied: applied - 1, clock },
      }));
      number += 1;
      const entry: JournalEntry = {
        ...request,
        number,
        at: clock.now().toISOString(),
        faults: effects.map(({ fault }) => fault),
        status: null,
        bytes: 0,
        is_complete: false,
      };
      entries.push(entry);
      if (entries.length > maxLoggedRequests) entries.splice(0, maxLoggedRequests / 10);
      return injectionOf(effects, entry, clock);
    },
  };
}

const isFor = ({ operation = "*", experiment }: FaultRule, request: RequestInfo): boolean =>
  (operation === "*" || operation === request.operation) &&
  (experiment === undefined || experiment === request.experiment);

interface FaultEffect {
  kind: FaultKind;
  fault: Fault;
  context: Parameters<Required<FaultKind>["request"]>[1];
}

type Injection = ReturnType<typeof injectionOf>;

/** What the faults of one request do, stage by stage. */
const injectionOf = (effects: readonly FaultEffect[], entry: JournalEntry, clock: Clock) => ({
  async beforeHandling(): Promise<void> {
    for (const { kind, fault, context } of effects) await kind.request?.(fault, context);
  },
  /** Undefined: no fault replaces the response. */
  response(): OutgoingResponse | undefined {
    const own = effects.find(({ kind }) => kind.response !== undefined);
    return own?.kind.response?.(own.fault, own.context);
  },
  withRows(outgoing: OutgoingResponse): OutgoingResponse {
    const { body } = outgoing;
    if (body === null || typeof body === "string") return outgoing;
    const changed = effects.reduce(
      (rows, { kind, fault, context }) => kind.rows?.(rows, fault, context) ?? rows,
      body,
    );
    return { ...outgoing, body: changed };
  },
  async send(response: ServerResponse, { status, headers, body }: OutgoingResponse): Promise<void> {
    entry.status = status;
    const wire = effects.filter(({ kind }) => kind.wire !== undefined);
    const isCompressed = wire.some(({ kind }) => kind.isCompressed);
    const isList = body !== null && typeof body !== "string";
    const bytes = Buffer.from(isList ? `[${body.join(",")}]` : (body ?? ""));
    const full = isCompressed ? gzipSync(bytes) : bytes;
    // Lists have no length unless a fault acts on their bytes, and a response without a body never
    // has one.
    const plain: Transmission = {
      body: full,
      isList,
      framing: body === null || (isList && wire.length === 0) ? "chunked" : "content-length",
      ending: "complete",
      pace: null,
      headers: {},
    };
    const own = wire.reduce((so, { kind, fault }) => ({ ...so, ...kind.wire?.(so, fault) }), plain);
    const declared = own.ending === "complete" ? own.body.length : full.length;
    const allHeaders = {
      ...headers,
      ...own.headers,
      ...(isCompressed ? { "content-encoding": "gzip" } : {}),
      ...(own.framing === "content-length" ? { "content-length": String(declared) } : {}),
    };
    Object.assign(entry, await transmit(response, status, allHeaders, own, clock));
  },
});

async function transmit(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  { body, framing, ending, pace }: Transmission,
  clock: Clock,
): Promise<Pick<JournalEntry, "bytes" | "is_complete">> {
  const { socket } = response;
  if (ending === "reset" && body.length === 0) {
    socket?.resetAndDestroy();
    return { bytes: 0, is_complete: false };
  }
  if (framing === "close") {
    response.shouldKeepAlive = false;
    response.useChunkedEncodingByDefault = false;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  const step = pace?.bytes ?? Math.max(1, body.length);
  let bytes = 0;
  while (bytes < body.length && !response.destroyed) {
    const piece = body.subarray(bytes, bytes + step);
    await write(response, piece);
    bytes += piece.length;
    if (pace !== null) await clock.sleep(pace.every_ms);
  }
  const is_complete = ending === "complete" && !response.destroyed;
  if (ending === "complete" || (ending === "truncated" && framing === "close")) response.end();
  else if (ending === "truncated") socket?.destroySoon();
  else socket?.once("drain", () => undefined).write("", () => socket.resetAndDestroy());
  return { bytes, is_complete };
}

/** Resolves once the piece has left this process or the connection is closed. */
async function write(response: ServerResponse, piece: Buffer): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([
    new Promise((written) => response.write(piece, written)),
    once(response, "close", { signal: waiting.signal }),
  ]).catch(() => undefined);
  waiting.abort();
}
