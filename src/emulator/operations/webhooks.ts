import { invalid } from "../http/http-error.js";
import { json, type OutgoingResponse } from "../http/outgoing.js";
import { randomHex } from "../../platform/index.js";
import { freshIdentifier, instant } from "../emulator.js";
import type { StateChange } from "../state/change.js";
import type { Webhook } from "../state/state.js";
import { webhookEvents } from "../webhook-sender.js";
import { findOr404, type RequestContext } from "./context.js";

function checked(body: Readonly<Record<string, unknown>>): Partial<Webhook> {
  const { url, events, description, is_active } = body;
  if (typeof url === "string" && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ""))
    throw invalid("Body: url must be an http or https address.", [
      { field: "url", message: "must be an http or https address" },
    ]);
  const unknown = Array.isArray(events)
    ? (events as unknown[]).find((event) => !webhookEvents.some((one) => one === event))
    : undefined;
  if (unknown !== undefined)
    throw invalid(`Body: events names ${JSON.stringify(unknown)}; there are ${webhookEvents.join(", ")}.`, [
      { field: "events", message: "no such event" },
    ]);
  return {
    ...(typeof url === "string" ? { url } : {}),
    ...(Array.isArray(events) ? { events: events as string[] } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof is_active === "boolean" ? { is_active } : {}),
  };
}

/** POST webhook. Creates the project's secret if it has none, and shows it only in this response. */
export async function createWebhook({ emulator, project, body }: RequestContext): Promise<OutgoingResponse> {
  const now = instant(emulator);
  const value: Webhook = {
    id: freshIdentifier(emulator, (one) => project.webhooks.has(one)),
    ...{ url: "", events: [...webhookEvents], description: "", is_active: true, date_created: now, date_updated: now },
    ...checked(body),
  };
  const changes: StateChange[] = [{ set: "webhook", project: project.id, value }];
  const secret = project.webhook_secret === null ? `whsec${randomHex(24)}` : null;
  if (secret !== null) changes.unshift({ set: "secret", project: project.id, value: secret });
  await emulator.store.commit(changes);
  return json(201, secret === null ? value : { ...value, secret });
}

export async function updateWebhook({ emulator, project, params, body }: RequestContext): Promise<OutgoingResponse> {
  const before = findOr404(project.webhooks, params.webhook_id, "webhook");
  const value: Webhook = { ...before, ...checked(body), date_updated: instant(emulator) };
  await emulator.store.commit([{ set: "webhook", project: project.id, value }]);
  return json(200, value);
}

export async function deleteWebhook({ emulator, project, params }: RequestContext): Promise<OutgoingResponse> {
  const { id } = findOr404(project.webhooks, params.webhook_id, "webhook");
  await emulator.store.commit([{ set: "no webhook", project: project.id, value: id }]);
  return { status: 204, headers: {}, body: null };
}
