import { type Clock, seededRandom, type Random } from "../../platform/index.js";
import type { Fault, FaultRule } from "./rules.js";

/** One request as the service saw it and what was done to it. No header and no body is kept. */
export interface JournalEntry {
  number: number;
  at: string;
  method: string;
  path: string;
  operation: string | null;
  experiment: string | null;
  faults: Fault[];
  /** Null until the response has left or was broken off. */
  status: number | null;
  bytes: number;
  /** Whether the response was sent to its end. */
  is_complete: boolean;
}

interface Counted {
  rule: FaultRule;
  seen: number;
  applied: number;
}

const kept = 100_000;

/** The rules in force and the journal of all requests. */
export class FaultBook {
  private rules: Counted[] = [];
  private random: Random;
  private entries: JournalEntry[] = [];
  private number = 0;

  constructor(
    rules: readonly FaultRule[],
    private readonly seed: number,
    private readonly clock: Clock,
  ) {
    this.random = seededRandom(seed);
    this.set(rules);
  }

  /** Replaces all rules; counting starts anew. */
  set(rules: readonly FaultRule[]): void {
    this.rules = rules.map((rule) => ({ rule, seen: 0, applied: 0 }));
    this.random = seededRandom(this.seed);
  }

  list(): FaultRule[] {
    return this.rules.map(({ rule }) => rule);
  }

  journal(): readonly JournalEntry[] {
    return this.entries;
  }

  clearJournal(): void {
    this.entries = [];
  }

  /** Notes a request and says which faults are to strike it, each with how often its rule has struck before. */
  strike(request: Pick<JournalEntry, "method" | "path" | "operation" | "experiment">): {
    entry: JournalEntry;
    faults: Struck[];
  } {
    const faults = this.rules.filter(({ rule }) => matches(rule, request)).flatMap((counted) => this.drawn(counted));
    this.number += 1;
    const entry: JournalEntry = {
      ...request,
      number: this.number,
      at: this.clock.now().toISOString(),
      faults: faults.map(({ fault }) => fault),
      status: null,
      bytes: 0,
      is_complete: false,
    };
    this.entries.push(entry);
    if (this.entries.length > kept) this.entries.splice(0, kept / 10);
    return { entry, faults };
  }

  private drawn(counted: Counted): Struck[] {
    counted.seen += 1;
    const { nth, times, probability, fault } = counted.rule;
    if (nth !== undefined && ![nth].flat().includes(counted.seen)) return [];
    if (times !== undefined && counted.applied >= times) return [];
    if (probability !== undefined && this.random() >= probability) return [];
    counted.applied += 1;
    return [{ fault, before: counted.applied - 1 }];
  }
}

export interface Struck {
  fault: Fault;
  before: number;
}

function matches(
  { operation, experiment }: FaultRule,
  request: Pick<JournalEntry, "operation" | "experiment">,
): boolean {
  if (operation !== undefined && operation !== "*" && operation !== request.operation) return false;
  return experiment === undefined || experiment === request.experiment;
}
