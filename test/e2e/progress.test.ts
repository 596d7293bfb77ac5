import { afterEach, beforeEach, expect, test } from "vitest";
import { showProgress } from "../../src/commands/progress.js";

let written = "";
let restore: () => void;
beforeEach(() => {
  written = "";
  const { stderr } = process;
  const before = { isTTY: stderr.isTTY, write: Object.getOwnPropertyDescriptor(stderr, "write") };
  const write = (text: string) => {
    written += text;
    return true;
  };
  Object.defineProperty(stderr, "write", { value: write, configurable: true, writable: true });
  stderr.isTTY = true;
  restore = () => {
    if (before.write) Object.defineProperty(stderr, "write", before.write);
    else Reflect.deleteProperty(stderr, "write");
    stderr.isTTY = before.isTTY;
  };
});
afterEach(() => {
  restore();
});

test("a terminal shows every log line, before, beside and after a bar", () => {
  const { log, onProgress, onTasks, stop } = showProgress();
  log.warn("one");
  onProgress({ experiments: 3, done: 1, rows: 12, bytes: 2048 });
  log.warn("two");
  onTasks({ model: "key_slates", done: 4, tasks: 20 });
  log.warn("three");
  stop();
  log.warn("four");
  expect(written.match(/warn: \w+\n/g)).toEqual(
    ["one", "two", "three", "four"].map((word) => `warn: ${word}\n`),
  );
  expect(written).toMatch(/1\/3 experiments \| 12 rows \| 2.05 kB \| \S+ \S*B\/s \| /);
  expect(written).toMatch(/4\/20 tasks \| key_slates/);
});
