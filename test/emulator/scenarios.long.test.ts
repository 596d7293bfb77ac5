import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { failureOf } from "../../src/commands/failure.js";
import { scenarioOptions, scenarios, startEmulator } from "../../src/emulator/index.js";
import { verifyProject } from "../../src/lake/index.js";
import { exportAndAudit } from "../../src/pipeline/export-and-audit.js";
import { projectSettingsOf } from "../../src/pipeline/settings.js";
import { readText, silentLog, systemClock } from "../../src/platform/index.js";
import { newsOf, noticeText, notWholeLine, type News } from "../../src/report/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";

const root = folderOfTests("recount-scenarios");
const before = join(root, "before");
const project = "Listen42";

async function night(
  name: string,
  lake: string,
  known: readonly string[] = [],
): Promise<{ exitCode: number; shown: string; news?: News }> {
  const service = await startEmulator(scenarioOptions(name));
  const client = createClient({
    baseUrl: service.url,
    credentials: { scheme: "api-key", key: service.apiKey },
    retry: { totalMs: 5000, baseMs: 1, capMs: 1000 },
  });
  const selection = { ids: ["Voices5"] };
  const settings = { ...projectSettingsOf({ selection }, join(root, "p.yaml")), lake };
  const display = {
    log: silentLog,
    onProgress: () => undefined,
    onTasks: () => undefined,
    stop: () => undefined,
  };
  try {
    const { exitCode, audit, exported, changes } = await exportAndAudit(
      client,
      project,
      settings,
      display,
      {
        clock: systemClock,
      },
    );
    const verdicts = Object.entries(audit.summary).filter(([, count]) => count > 0);
    return {
      exitCode,
      news: newsOf(audit, changes, known),
      shown: `${verdicts.map(([verdict]) => verdict).join(" ")} ${notWholeLine(exported.shortfalls)}`,
    };
  } catch (error) {
    const { exitCode, line } = failureOf(error);
    return { exitCode, shown: line };
  } finally {
    await client.close();
    await service.close();
  }
}

describe("a night over a scenario", () => {
  beforeAll(async () => {
    expect(await night("quiet", before)).toMatchObject({ exitCode: 0 });
  });

  it("leads with a number that changed by itself, and knows its finding again", async () => {
    const lake = join(root, "news");
    cpSync(before, lake, { recursive: true });
    const { news } = await night("wrong-number", lake);
    const finding = expect.stringMatching(
      /, elo: unexplained, alder: 2107\.\d+ published, 2095\.\d+ recomputed \(\+12\.5\)/,
    ) as string;
    expect(news).toMatchObject({
      new_findings: [finding],
      republished: [
        expect.stringMatching(
          /, alder, elo: published 2095\.2 → 2107\.7, although no rating changed$/,
        ),
      ],
    });
    const notice = { project, exit_code: 1, error: null, numbers: { exact: 9, unexplained: 1 } };
    expect(noticeText({ ...notice, ...news })).toMatch(
      /^Recount: Listen42 needs attention \(exit code 1\): .*, alder, elo: published .* although no rating changed\. New: .*\. 9 exact, 1 unexplained\.$/,
    );
    const again = await night("wrong-number", lake, news?.findings);
    expect(again.news).toEqual({ findings: [finding], new_findings: [], republished: [] });
    expect(noticeText({ ...notice, ...again.news })).toBe(
      "Recount: Listen42 needs attention (exit code 1): 1 known finding. 9 exact, 1 unexplained.",
    );
  });

  it.each(scenarios)("ends as $name says, and the lake verifies", async ({ name, ends }) => {
    const lake = join(root, name);
    cpSync(before, lake, { recursive: true });
    expect(await night(name, lake)).toMatchObject({
      exitCode: ends.exitCode,
      shown: expect.stringContaining(ends.shows) as string,
    });
    expect(await verifyProject(lake, project)).toMatchObject({ problems: [] });
  });
});

it("every scenario is listed by serve and in docs/reference/emulator.md, with the exit code of a run", async () => {
  const { stdout } = await recountHere(["serve", "--scenario", "help"]);
  const listed = [...stdout.matchAll(/^(\S+) +(\d) {2}(.+)$/gm)].map(([, ...cells]) => cells);
  expect(listed).toEqual(
    scenarios.map((one) => [one.name, String(one.ends.exitCode), one.description]),
  );
  const page = await readText(join(import.meta.dirname, "../../docs/reference/emulator.md"));
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.+) \| (\d), (?:`(.+)`|(\w+)) \|$/gm)];
  expect(
    rows.map(([, name, what, code, words, verdict]) => [name, what, code, words ?? verdict]),
  ).toEqual(
    scenarios.map(({ name, description, ends }) => [
      name,
      description,
      String(ends.exitCode),
      ends.shows,
    ]),
  );
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});
