import { afterAll, beforeAll, expect } from "vitest";

const signals = [
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "uncaughtException",
  "unhandledRejection",
  "warning",
];

const shared = (): Record<string, unknown> => ({
  ...process.env,
  folder: process.cwd(),
  "exit code": process.exitCode,
  "own output": [process.stdout, process.stderr]
    .map((stream) => Object.hasOwn(stream, "write"))
    .join(),
  listeners: signals.map((event) => process.listenerCount(event)).join(),
});

let found: Record<string, unknown>;
beforeAll(() => {
  found = shared();
});

// Registered first, this runs after the hooks of the file itself. Values stay out of the message: they may be secret.
afterAll(() => {
  const left = shared();
  const changed = Object.keys({ ...found, ...left }).filter((name) => found[name] !== left[name]);
  expect(changed, "what this file has changed and not restored").toEqual([]);
});
