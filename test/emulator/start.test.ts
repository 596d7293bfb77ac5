import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFaultRules, startEmulator } from "../../src/emulator/index.js";
import { writeDurably } from "../../src/platform/files.js";

test("an invalid port, or one in use, is a one-line error", async () => {
  for (const port of [70_000, -1, 1.5, NaN])
    await expect(startEmulator({ port })).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/is not a port/) as string,
    });
  const first = await startEmulator({ sample: false });
  const taken = Number(new URL(first.url).port);
  await expect(startEmulator({ sample: false, port: taken })).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/is in use/) as string,
  });
  await first.close();
});

test("an unusable rules file is a one-line error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recount-start-"));
  const path = join(folder, "rules.yaml");
  await writeDurably(path, "- { operation: listRatings, fault: { kind: delay } }\n");
  await expect(readFaultRules(path)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/: entry 1, fault needs ms, for example ms: \d+; /) as string,
  });
  await writeDurably(
    path,
    "- { operation: listRatings, nth: [1, 2], fault: { kind: delay, ms: 3 } }\n",
  );
  expect(await readFaultRules(path)).toEqual([
    { operation: "listRatings", nth: [1, 2], fault: { kind: "delay", ms: 3 } },
  ]);
  await rm(folder, { recursive: true });
});
