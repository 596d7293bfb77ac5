import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import pLimit from "p-limit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../support/until.js";
import { crashFixture, type CrashFixture } from "../support/crash-fixture.js";

describe.each(["export", "import"] as const)(
  "an %s process that is killed, interrupted or fails to write",
  (way) => {
    let at: CrashFixture;
    let steps: string[];
    let before: number;
    const two = pLimit(2);

    beforeAll(async () => {
      at = await crashFixture(way);
      steps = await at.steps();
      before = (await at.visible(at.lake())).ratings;
    });
    afterAll(() => at.close());

    const staged = (lake: string) => readdirSync(join(lake, at.project, "staging"));

    it("performs every kind of step", () => {
      for (const kind of ["create", "writeFile", "sync", "rename", "mkdir", "rm"])
        expect(
          steps.some((step) => step.startsWith(kind)),
          kind,
        ).toBe(true);
      expect(steps.some((step) => step.startsWith("rename") && step.includes("/staging/"))).toBe(
        true,
      );
    });

    it("killed at each kind of step: only the old or the new snapshot is visible, and the next run succeeds and cleans up", async () => {
      const seen = new Set<number>();
      const wrong: string[] = [];
      const tried: number[] = [];
      const one = async (n: number) => {
        const lake = at.lake();
        const killed = await at.run(lake, { FILES_AT: String(n) });
        const after = await at.visible(lake);
        seen.add(after.ratings);
        tried.push(n);
        const isSound =
          after.problems.length === 0 && (after.ratings === before || after.ratings === before - 1);
        const failure = await at.again(lake).then(() => null, String);
        const then = await at.visible(lake);
        const isMended =
          failure === null &&
          then.ratings === before - 1 &&
          then.problems.length === 0 &&
          staged(lake).length === 0;
        if (killed.code !== null || !isSound || !isMended)
          wrong.push(
            `${n} ${steps[n - 1] ?? ""}: ${killed.code ?? "killed"} ${JSON.stringify([after, failure, then])}`,
          );
      };
      // Of steps that differ in numbers and tables alone, the first and the last.
      const kindOf = (step: string) =>
        step.replace(/[0-9a-f]{12,}|[\dTZ]+-[0-9a-f]{6}|\d+|\w+(?=\.parquet)/g, "…");
      const kinds = steps.map(kindOf);
      const each = kinds.flatMap((kind, i) =>
        kinds.indexOf(kind) === i || kinds.lastIndexOf(kind) === i ? [i + 1] : [],
      );
      await Promise.all(each.map((n) => two(() => one(n))));
      expect(wrong).toEqual([]);
      expect(seen).toEqual(new Set([before, before - 1]));
      expect(tried.length).toBe(each.length);
      expect(each.length).toBeGreaterThan(30);
    });

    // Recount treats all codes alike: the first fails every kind of write, the others every second kind.
    it.each([
      ["ENOSPC", 1],
      ["EIO", 2],
      ["EROFS", 2],
    ] as const)(
      "%s at any kind of write: exits 3 with one line and leaves the old snapshot untouched",
      async (code, step) => {
        const kinds = ["create", "writeFile", "sync", "rename", "mkdir"].map(
          (kind) => steps.findIndex((step) => step.startsWith(kind)) + 1,
        );
        const toPlace =
          steps.findIndex((step) => step.startsWith("rename") && step.includes("/staging/")) + 1;
        const each = [...new Set([...kinds, toPlace])]
          .filter((_, i) => (i + (code === "EIO" ? 1 : 0)) % step === 0)
          .map((n) =>
            two(async () => {
              const lake = at.lake();
              const { code: exit, stderr } = await at.run(lake, {
                FILES_AT: String(n),
                FILES_DO: code,
              });
              const after = await at.visible(lake);
              return {
                n,
                exit,
                says: new RegExp(`(nothing was published|cannot be written): ${code}`).test(stderr),
                isOneLine: !stderr.includes("internal error"),
                ratings: after.ratings,
                problems: after.problems,
              };
            }),
          );
        const outcomes = await Promise.all(each);
        expect(outcomes).toEqual(
          outcomes.map(({ n }) => ({
            n,
            exit: 3,
            says: true,
            isOneLine: true,
            ratings: before,
            problems: [],
          })),
        );
      },
    );

    it("one SIGINT stops the export cleanly with exit code 130 and publishes nothing", async () => {
      const lake = at.lake();
      at.service.faults.set([{ operation: "listRatings", fault: { kind: "delay", ms: 3000 } }]);
      const { code, stderr } = await at.run(lake, { FILES_AT: "8", FILES_DO: "SIGINT" });
      at.service.faults.set([]);
      expect({ code, stderr }).toMatchObject({
        code: 130,
        stderr: expect.stringContaining("nothing was published") as string,
      });
      expect(await at.visible(lake)).toMatchObject({ ratings: before, problems: [] });
      expect(staged(lake)).toEqual([]);
    });

    it("two SIGINTs end it immediately with exit code 130, and the next run cleans up", async () => {
      const lake = at.lake();
      const { code, stderr } = await at.run(lake, {
        FILES_AT: "8",
        FILES_DO: "SIGINT",
        FILES_TWICE: "yes",
      });
      expect({ code, stderr }).toMatchObject({
        code: 130,
        stderr: expect.not.stringContaining("nothing was published") as string,
      });
      expect(await at.visible(lake)).toMatchObject({ ratings: before, problems: [] });
      await at.again(lake);
      expect(staged(lake)).toEqual([]);
    });

    it("two runs at once: one succeeds, the other names the one that holds the lock", async () => {
      const lake = at.lake();
      const hold = `${lake}.hold`;
      const first = at.run(lake, {
        FILES_ON: "^create .*/staging/",
        FILES_AT: "1",
        FILES_DO: "hold",
        FILES_HOLD: hold,
      });
      await until(() => existsSync(hold));
      const second = await at.runHere(lake);
      rmSync(hold);
      expect([(await first).code, second.code]).toEqual([0, 3]);
      expect(second.stderr).toMatch(
        /is being written by another run \(pid \d+ on .+ since .+\)\. Wait until it ends, or stop it\./,
      );
      expect(await at.visible(lake)).toMatchObject({ ratings: before - 1, problems: [] });
    });
  },
);
