import { type Clock, seededRandom } from "../../platform/index.js";
import { injectionOf, type Injection, type Match } from "./injection.js";
import type { Fault, FaultRule } from "./rules.js";

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
