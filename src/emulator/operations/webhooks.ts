import type { BodyOf } from "../../contract/index.js";
import { json, type OutgoingResponse } from "../http/outgoing.js";
import { randomHex } from "../../platform/index.js";
import { freshIdentifier, instant } from "../emulator.js";
import type { StateChange } from "../state/change.js";
import type { Webhook } from "../state/state.js";
import { findOr404, type Filled, type RequestContext } from "./context.js";

/** POST webhook. Creates the project's secret if it has none, and shows it only in this response. */
export async function createWebhook(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project } = context;
  const { url, events, description, is_active } = context.body as Filled<"webhook_create">;
  const now = instant(emulator);
  const value: Webhook = {
    id: freshIdentifier(emulator, (one) => project.webhooks.has(one)),
    ...{ url, events, description, is_active, date_created: now, date_updated: now },
  };
  const changes: StateChange[] = [{ set: "webhook", project: project.id, value }];
  const secret = project.webhook_secret === null ? `whsec${randomHex(24)}` : null;
  if (secret !== null) changes.unshift({ set: "secret", project: project.id, value: secret });
  await emulator.store.commit(changes);
  return json(201, secret === null ? value : { ...value, secret });
}

export async function updateWebhook(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project, params } = context;
  const before = findOr404(project.webhooks, params.webhook_id, "webhook");
  const {
    url = before.url,
    events = before.events,
    description = before.description ?? "",
    is_active = before.is_active,
  } = context.body as BodyOf<"webhook_update">;
  const value: Webhook = { ...before, url, events, description, is_active, date_updated: instant(emulator) };
  await emulator.store.commit([{ set: "webhook", project: project.id, value }]);
  return json(200, value);
}

export async function deleteWebhook({ emulator, project, params }: RequestContext): Promise<OutgoingResponse> {
  const { id } = findOr404(project.webhooks, params.webhook_id, "webhook");
  await emulator.store.commit([{ set: "no webhook", project: project.id, value: id }]);
  return { status: 204, headers: {}, body: null };
}
