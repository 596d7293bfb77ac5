/** The lock of a project in object storage. */
import { hostname } from "node:os";
import type { Lock } from "../lake/index.js";
import {
  type Clock,
  ExportError,
  randomHex,
  systemClock,
  UsageError,
  jsonIn,
} from "../platform/index.js";
import type { Objects } from "./objects.js";

/** Milliseconds. */
export const leaseTimes = { lasts: 30_000, renewed: 6_000, looked: 500 };

interface LeaseText {
  readonly token: number;
  readonly holder: string;
  readonly renewal: string;
  readonly lasts_ms: number;
  readonly is_held: boolean;
  /** The manifest that a holder is about to write, or may have written. */
  readonly publishing?: string | undefined;
}

export interface Lease extends Lock {
  /**
   * Publishes: `write` runs only if this lease is still held, and whoever takes the lease
   * afterwards first finds out whether the manifest was written. @throws ExportError when another
   * run has taken over.
   */
  publish(manifest: string, write: () => Promise<void>): Promise<void>;
}

const isLease = (value: unknown): value is LeaseText =>
  typeof value === "object" &&
  value !== null &&
  "token" in value &&
  "renewal" in value &&
  "lasts_ms" in value;

function leaseIn(text: string): LeaseText | null {
  const value = jsonIn(text);
  return isLease(value) ? value : null;
}

/**
 * A lease that has not changed for as long as it lasts, by the clock of this process alone, is
 * taken over.
 * @param settle makes final what became of a manifest that an earlier holder announced
 * @param isPatient waits for a holder that renews it, however long
 * @throws ExportError when another run holds it
 */
export async function takeLease(
  objects: Objects,
  key: string,
  settle: (manifest: string) => Promise<void>,
  clock: Clock = systemClock,
  isPatient = false,
): Promise<Lease> {
  const holder = `pid ${process.pid} on ${hostname()} since ${clock.now().toISOString()}`;
  const busy = (by: string) =>
    new ExportError(
      `${objects.uri(key)} is held by another run (${by}). Wait until it ends, or stop it.`,
    );
  let seen: { tag: string; since: number } | undefined;
  for (;;) {
    const found = await objects.text(key);
    const before = found && leaseIn(found.text);
    if (found !== null && before?.is_held === true) {
      if (seen?.tag !== found.tag) {
        if (seen !== undefined && !isPatient) throw busy(before.holder);
        seen = { tag: found.tag, since: clock.monotonicMs() };
      }
      if (clock.monotonicMs() - seen.since < before.lasts_ms) {
        await clock.sleep(leaseTimes.looked);
        continue;
      }
    }
    const own = {
      token: (before?.token ?? 0) + 1,
      holder,
      lasts_ms: leaseTimes.lasts,
      is_held: true,
      ...(before?.publishing === undefined ? {} : { publishing: before.publishing }),
    };
    const lease = await holdLease(objects, key, own, found?.tag ?? null);
    if (lease === null) {
      seen = undefined;
      continue;
    }
    try {
      if (own.publishing !== undefined) await lease.settled(() => settle(own.publishing ?? ""));
      return lease;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }
}

type Terms = Omit<LeaseText, "renewal">;

async function holdLease(
  objects: Objects,
  key: string,
  first: Terms,
  found: string | null,
): Promise<(Lease & { settled(work: () => Promise<void>): Promise<void> }) | null> {
  let terms = first;
  const taken = await objects.put(key, leaseText(terms), found);
  if (taken === null) return null;
  let tag = await checkConditions(objects, key, taken, leaseText(terms));
  if (tag === null) return null;
  const lost = () =>
    new ExportError(
      `${objects.uri(key)}: another run has taken over, because this one stopped renewing ` +
        "its lock. Nothing was published.",
    );
  let writing = Promise.resolve();
  /** A text whose write failed: the store may have taken it. */
  let unsure: string | null = null;
  const write = (changes: Partial<Terms> = {}): Promise<void> => {
    const next = writing.then(async () => {
      if (unsure !== null) {
        const found = await objects.text(key);
        if (found?.text === unsure) tag = found.tag;
        unsure = null;
      }
      if (tag === null) throw lost();
      const changed = { ...terms, ...changes };
      const text = leaseText(changed);
      tag = await objects.put(key, text, tag).catch((error: unknown) => {
        unsure = text;
        terms = changed;
        throw error;
      });
      if (tag === null) throw lost();
      terms = changed;
    });
    writing = next.catch(() => undefined);
    return next;
  };
  // A renewal that fails is not the end: what matters is whether the next write finds the lease as
  // this one left it.
  const timer = setInterval(() => void write().catch(() => undefined), leaseTimes.renewed);
  timer.unref();
  const settled = async (work: () => Promise<void>) => {
    await work();
    // Whoever reads the old announcement finds that it came true.
    await write({ publishing: undefined }).catch(() => undefined);
  };
  return {
    settled,
    async publish(manifest, work) {
      await write({ publishing: manifest });
      await settled(work);
    },
    async release() {
      clearInterval(timer);
      await write({ is_held: false }).catch(() => undefined);
    },
  };
}

/** Two runs could hold a lease of a store without conditional writes. @throws UsageError then */
async function checkConditions(
  objects: Objects,
  key: string,
  tag: string,
  text: string,
): Promise<string | null> {
  const replaced = await objects.put(key, text, tag);
  if (replaced === null && (await objects.text(key))?.tag !== tag) return null;
  const added = await objects.put(key, `${text}\n`, null);
  const other = await objects.put(key, `${text}\n`, '"00000000000000000000000000000000"');
  if (replaced !== null && added === null && other === null) return replaced;
  await objects.remove([key]).catch(() => undefined);
  const name = added === null ? "If-Match" : "If-None-Match";
  throw new UsageError(
    `${objects.uri(key)}: the store does not honour ${name}, so it cannot lock a lake. ` +
      "docs/how-to/scale.md names stores that can.",
  );
}

const leaseText = (terms: Terms) => `${JSON.stringify({ ...terms, renewal: randomHex(8) })}\n`;
