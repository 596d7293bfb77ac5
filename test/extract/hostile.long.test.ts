import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RecountError } from "../../src/platform/index.js";
import { secretForms } from "../../src/client/secrets.js";
import { scenarios } from "../support/hostile/scenarios.js";
import { hostileService, type HostileService } from "../support/hostile/service.js";

// Most of an export under a fault is waiting.
describe.concurrent("a hostile service", () => {
  let service: HostileService;
  beforeAll(async () => {
    service = await hostileService();
  });
  afterAll(() => service.close());

  it.each(scenarios)("ends as the table says: %s", async (_, scenario) => {
    const { must } = scenario;
    const { report, error, rows, problems } = await service.run(scenario);
    if (report === null) {
      expect(error).toBeInstanceOf(RecountError);
      const { exitCode, message } = error as RecountError;
      expect({ exit: exitCode, message }).toEqual({
        exit: must.exit,
        message: "says" in must ? (expect.stringMatching(must.says) as string) : "a snapshot",
      });
      expect(message).not.toContain("\n");
      for (const form of secretForms(service.key)) expect(message).not.toContain(form);
      return;
    }
    const exit = report.shortfalls.length > 0 ? 2 : 0;
    const { quarantined } = report.manifest.units
      .flatMap(({ parts }) => parts)
      .find(({ table }) => table === "ratings") ?? { quarantined: 0 };
    expect({ exit, rows, quarantined }).toEqual(must);
    for (const { elements, parts } of report.manifest.units)
      for (const part of parts)
        expect(part.rows + part.quarantined + (part.repeated ?? 0)).toBe(elements);
    expect(problems).toEqual([]);
  });
});
