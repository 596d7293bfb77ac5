import { createHmac } from "node:crypto";
import { setMaxListeners } from "node:events";
import { request } from "undici";
import type { webhookEvents } from "../contract/index.js";
import { type Clock, messageOf, randomHex } from "../platform/index.js";
import { createBackground } from "./background.js";
import type { Project, Webhook } from "./state/state.js";

type WebhookEvent = (typeof webhookEvents)[number];

/** One delivery and its attempts. */
export interface Delivery {
  id: string;
  webhook_id: string;
  event: WebhookEvent;
  attempts: { at: string; status: number | null; error: string | null }[];
  is_delivered: boolean;
}

export interface WebhookSettings {
  /** Attempts in all; the waits between them double from `firstWaitMs`. */
  attempts: number;
  firstWaitMs: number;
  timeoutMs: number;
}

/** Reports events to subscribers: signed POSTs, retried with doubling waits. Deliveries are kept in memory only. */
export interface WebhookSender {
  deliveries(): readonly Delivery[];
  /** Returns at once; the delivery continues in the background. */
  send(project: Project, event: WebhookEvent, data: Record<string, unknown>): void;
  close(): Promise<void>;
}

const maxDeliveries = 10_000;

export function createWebhookSender(settings: WebhookSettings, clock: Clock): WebhookSender {
  const deliveries: Delivery[] = [];
  const closing = new AbortController();
  const background = createBackground();
  // Any number of deliveries may wait for the signal.
  setMaxListeners(0, closing.signal);

  async function post(url: string, headers: Record<string, string>, body: string) {
    try {
      const answer = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(settings.timeoutMs)]),
      });
      await answer.body.dump();
      return { status: answer.statusCode, error: null };
    } catch (error) {
      return { status: null, error: messageOf(error) };
    }
  }

  async function deliver({ id, url }: Webhook, secret: string, event: WebhookEvent, delivered: string, body: string) {
    const delivery: Delivery = { id: delivered, webhook_id: id, event, attempts: [], is_delivered: false };
    deliveries.push(delivery);
    if (deliveries.length > maxDeliveries) deliveries.shift();
    for (let attempt = 1; attempt <= settings.attempts; attempt += 1) {
      const at = clock.now();
      const signature = signatureOf(secret, Math.floor(at.getTime() / 1000), body);
      const outcome = await post(url, { "recount-signature": signature, "recount-delivery": delivered }, body);
      delivery.attempts.push({ at: at.toISOString(), ...outcome });
      delivery.is_delivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
      if (delivery.is_delivered || attempt === settings.attempts) return;
      await clock.sleep(settings.firstWaitMs * 2 ** (attempt - 1), closing.signal);
    }
  }

  return {
    deliveries: () => deliveries,
    send({ id: project_id, webhooks, webhook_secret: secret }, event, data) {
      if (secret === null) return;
      for (const hook of webhooks.values()) {
        if (!hook.is_active || !hook.events.includes(event)) continue;
        const body = { id: randomHex(12), event, created_at: clock.now().toISOString(), project_id, data };
        background.add(deliver(hook, secret, event, body.id, JSON.stringify(body)));
      }
    },
    close() {
      closing.abort();
      return background.settled();
    },
  };
}

/** The `Recount-Signature` header: `t` in seconds and the hexadecimal HMAC-SHA256 of `<t>.<body>` under the secret. */
function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
