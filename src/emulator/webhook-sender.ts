import { createHmac } from "node:crypto";
import { setMaxListeners } from "node:events";
import { request } from "undici";
import { type Clock, messageOf, randomHex } from "../platform/index.js";
import type { Project, Webhook } from "./state/state.js";

/** What webhooks tell of: an assumption, docs/emulator.md. */
export const webhookEvents = [
  "dataset.ready",
  "dataset.error",
  "job.launched",
  "session.completed",
  "job.completed",
  "results.updated",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The `Recount-Signature` header: `t` in seconds and HMAC-SHA256, in hexadecimal, of `<t>.<body>` under the project's secret. */
export function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}

/** One delivery and how it went. */
export interface Delivery {
  id: string;
  webhook_id: string;
  event: WebhookEvent;
  attempts: { at: string; status: number | null; error: string | null }[];
  is_delivered: boolean;
}

export interface HookSettings {
  /** Attempts in all; the waits between them double from `firstWaitMs`. */
  attempts: number;
  firstWaitMs: number;
  timeoutMs: number;
}

/** Tells subscribers what happened: signed POSTs, retried with doubling waits. Kept in memory only. */
export class Hooks {
  readonly deliveries: Delivery[] = [];
  private readonly ending = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly settings: HookSettings,
    private readonly clock: Clock,
  ) {
    // As many jobs or deliveries as there are may wait for the end.
    setMaxListeners(0, this.ending.signal);
  }

  /** Returns at once; deliveries go on beside. */
  tell(project: Project, event: WebhookEvent, data: Record<string, unknown>): void {
    for (const hook of project.webhooks.values()) {
      if (!hook.is_active || !hook.events.includes(event) || project.webhook_secret === null) continue;
      const body = {
        id: randomHex(12),
        event,
        created_at: this.clock.now().toISOString(),
        project_id: project.id,
        data,
      };
      const one = this.deliver(hook, project.webhook_secret, event, body.id, JSON.stringify(body)).finally(() =>
        this.running.delete(one),
      );
      this.running.add(one);
    }
  }

  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.running);
  }

  private async deliver(hook: Webhook, secret: string, event: WebhookEvent, id: string, body: string): Promise<void> {
    const delivery: Delivery = { id, webhook_id: hook.id, event, attempts: [], is_delivered: false };
    this.deliveries.push(delivery);
    if (this.deliveries.length > 10_000) this.deliveries.shift();
    for (let attempt = 1; attempt <= this.settings.attempts; attempt += 1) {
      const at = this.clock.now();
      const { status, error } = await this.post(
        hook.url,
        signatureOf(secret, Math.floor(at.getTime() / 1000), body),
        id,
        body,
      );
      delivery.attempts.push({ at: at.toISOString(), status, error });
      delivery.is_delivered = status !== null && status >= 200 && status < 300;
      if (delivery.is_delivered || attempt === this.settings.attempts) return;
      const wait = this.settings.firstWaitMs * 2 ** (attempt - 1);
      if (
        await this.clock.sleep(wait, this.ending.signal).then(
          () => false,
          () => true,
        )
      )
        return;
    }
  }

  private async post(
    url: string,
    signature: string,
    id: string,
    body: string,
  ): Promise<{ status: number | null; error: string | null }> {
    try {
      const answer = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json", "recount-signature": signature, "recount-delivery": id },
        body,
        signal: AbortSignal.any([this.ending.signal, AbortSignal.timeout(this.settings.timeoutMs)]),
      });
      await answer.body.dump();
      return { status: answer.statusCode, error: null };
    } catch (error) {
      return { status: null, error: messageOf(error) };
    }
  }
}
