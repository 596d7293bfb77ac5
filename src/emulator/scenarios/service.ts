import { defineScenario } from "./scenario.js";

export const shortOutage = defineScenario({
  name: "short-outage",
  description: "The first three requests answer 503, and a retry succeeds.",
  options: { faults: [{ times: 3, fault: { kind: "status", status: 503 } }] },
  ends: { exitCode: 0, shows: "exact" },
});

export const outage = defineScenario({
  name: "outage",
  description: "Every request answers 503.",
  options: { faults: [{ fault: { kind: "status", status: 503 } }] },
  ends: { exitCode: 3, shows: "answered 503" },
});

export const maintenance = defineScenario({
  name: "maintenance",
  description: "Every request answers a maintenance page with status 200.",
  options: { faults: [{ fault: { kind: "html" } }] },
  ends: { exitCode: 3, shows: "Maintenance" },
});

export const brokenConnection = defineScenario({
  name: "broken-connection",
  description: "The connection breaks while ratings are sent, each time.",
  options: {
    faults: [{ operation: "listRatings", fault: { kind: "cut", after: 2000, framing: "content-length" } }],
  },
  ends: { exitCode: 3, shows: "the connection closed early" },
});

export const throttled = defineScenario({
  name: "throttled",
  description: "Every request answers 429 and asks to wait for an hour.",
  options: { faults: [{ fault: { kind: "status", status: 429, retry_after: "3600" } }] },
  ends: { exitCode: 3, shows: "answered 429" },
});

export const revokedKey = defineScenario({
  name: "revoked-key",
  description: "The service rejects the key.",
  options: { faults: [{ fault: { kind: "status", status: 401 } }] },
  ends: { exitCode: 4, shows: "rejects the credentials" },
});

export const noRatings = defineScenario({
  name: "no-ratings",
  description: "The key may no longer read ratings.",
  options: { faults: [{ operation: "listRatings", fault: { kind: "status", status: 403 } }] },
  ends: { exitCode: 2, shows: "inconclusive" },
});
