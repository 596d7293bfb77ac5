import { createHmac } from "node:crypto";
import { request } from "undici";
import type { webhookEvents } from "../contract/index.js";
import { type Clock, messageOf, randomHex } from "../platform/index.js";
import type { Background } from "./background.js";
import type { Project, Webhook } from "./state/state.js";

type WebhookEvent = (typeof webhookEvents)[number];

/** The delivery of one event to one subscriber, and its attempts. */
export interface WebhookDelivery {
  id: string;
  webhook_id: string;
  event: WebhookEvent;
  attempts: { at: string; status: number | null; error: string | null }[];
  is_delivered: boolean;
}

/** Reports events to subscribers: signed POSTs, retried with doubling waits. Deliveries are kept in memory only. */
export interface WebhookSender {
  deliveries(): readonly WebhookDelivery[];
  /** Returns at once; the delivery continues in the background. */
  send(project: Project, event: WebhookEvent, data: Record<string, unknown>): void;
}

const maxAttempts = 5;
const firstWaitMs = 1000;
const timeoutMs = 10_000;
const maxDeliveries = 10_000;

export function createWebhookSender(clock: Clock, background: Background): WebhookSender {
  const deliveries: WebhookDelivery[] = [];

  async function post(url: string, headers: Record<string, string>, body: string) {
    try {
      const answer = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        signal: AbortSignal.any([background.signal, AbortSignal.timeout(timeoutMs)]),
      });
      await answer.body.dump();
      return { status: answer.statusCode, error: null };
    } catch (error) {
      return { status: null, error: messageOf(error) };
    }
  }

  async function deliver(delivery: WebhookDelivery, url: string, secret: string, body: string): Promise<void> {
    deliveries.push(delivery);
    if (deliveries.length > maxDeliveries) deliveries.shift();
    for (let attempt = 1; ; attempt += 1) {
      const at = clock.now();
      const signature = signatureOf(secret, Math.floor(at.getTime() / 1000), body);
      const outcome = await post(url, { "recount-signature": signature, "recount-delivery": delivery.id }, body);
      delivery.attempts.push({ at: at.toISOString(), ...outcome });
      delivery.is_delivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
      if (delivery.is_delivered || attempt === maxAttempts) return;
      await clock.sleep(firstWaitMs * 2 ** (attempt - 1), background.signal);
    }
  }

  const wants = ({ is_active, events }: Webhook, event: WebhookEvent): boolean => is_active && events.includes(event);

  return {
    deliveries: () => deliveries,
    send({ id: project_id, webhooks, webhook_secret: secret }, event, data) {
      if (secret === null) return;
      for (const hook of [...webhooks.values()].filter((one) => wants(one, event))) {
        const id = randomHex(12);
        const body = JSON.stringify({ id, event, created_at: clock.now().toISOString(), project_id, data });
        const delivery = { id, webhook_id: hook.id, event, attempts: [], is_delivered: false };
        background.add(deliver(delivery, hook.url, secret, body));
      }
    },
  };
}

/** The `Recount-Signature` header: `t` in seconds and the hexadecimal HMAC-SHA256 of `<t>.<body>` under the secret. */
function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
