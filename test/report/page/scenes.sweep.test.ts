import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type PublishingRule } from "../../../src/emulator/index.js";
import { folderOfTests } from "../../support/folder.js";
import { violationsIn } from "../../support/axe.js";
import { startBrowser } from "../../support/browser.js";
import { exportTo } from "../../support/export-to-lake.js";
import { pageOf } from "../../support/report-fixture.js";
import { importScene, scenes, writeScene } from "../../support/report-scenes.js";

/** What a reader would stumble over: what leaves the page, texts that touch or are clipped, numbers on two lines. */
const faults = `(() => {
  const shown = (of) => of.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && !of.closest(".vh, thead");
  const name = (of) => of.outerHTML.slice(0, 100);
  const width = document.documentElement.clientWidth;
  const isHeld = (of) => { for (let at = of; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== "visible") return true; return false; };
  const wide = [...document.body.querySelectorAll("*")].filter((each) => shown(each) && each.getBoundingClientRect().right > width + 1 && !isHeld(each.parentElement));
  const touching = [...document.querySelectorAll("svg")].flatMap((svg) => {
    const boxes = [...svg.querySelectorAll(":scope > text")].filter(shown).map((text) => [text, text.getBoundingClientRect()]);
    return boxes.filter(([, a], i) => boxes.some(([, b], j) => j > i && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)).map(([text]) => text);
  });
  const clipped = [...document.querySelectorAll("td, th, p, dd")].filter((each) => shown(each) && each.scrollWidth > each.clientWidth + 2 && getComputedStyle(each).display !== "inline");
  const linesOf = (of) => { const all = document.createRange(); all.selectNodeContents(of); return new Set([...all.getClientRects()].map(({ bottom }) => Math.round(bottom / 4))).size; };
  const wrapped = [...document.querySelectorAll(".board td.n")].filter((each) => shown(each) && linesOf(each) > 1);
  return { overflow: document.documentElement.scrollWidth - width, wide: wide.map(name), touching: touching.map(name), clipped: clipped.map(name), wrapped: wrapped.map(name) };
})()`;
const none = { overflow: 0, wide: [], touching: [], clipped: [], wrapped: [] };

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const screen = 844;

const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).allTextContents();

describe.each(Object.entries(scenes))("the report of %s", (name, make) => {
  const folder = folderOfTests("recount-scene");
  const file = join(folder, "report.html");
  beforeAll(async () => {
    const scene = make();
    const lake = join(folder, "lake");
    let project = "arena";
    if (scene.publishing === null) await importScene(scene, folder, lake);
    else {
      const publishing = scene.publishing as PublishingRule[];
      const service = await startEmulator({ load: writeScene(scene, folder), publishing });
      await exportTo(lake, service).finally(() => service.close());
      project = service.projectId;
    }
    writeFileSync(file, await pageOf({ folder, lake, project, remove: () => undefined }));
  });
  afterAll(() => {});

  const opened = async <T>(
    options: {
      readonly width: number;
      readonly colorScheme?: "light" | "dark";
      readonly media?: "print";
    },
    use: (page: Page) => Promise<T>,
  ): Promise<T> => {
    const { width, colorScheme = "light", media = "screen" } = options;
    const context = await browser.newContext({ viewport: { width, height: screen }, colorScheme });
    const page = await context.newPage();
    await page.emulateMedia({ media, colorScheme });
    await page.goto(pathToFileURL(file).href);
    return use(page).finally(() => context.close());
  };

  it.each([
    { width: 1440 },
    { width: 1024, colorScheme: "dark" as const },
    { width: 390 },
    { width: 688, media: "print" as const },
  ])("overlaps and clips nothing: $width $colorScheme $media", async (options) => {
    expect(await opened(options, (page) => page.evaluate(faults))).toEqual(none);
  });

  it.each([
    { width: 1440, colorScheme: "dark" as const },
    { width: 390, colorScheme: "light" as const },
  ])("violates no rule of accessibility, unfolded: $width $colorScheme", async (options) => {
    expect(await opened(options, violationsIn)).toEqual([]);
  });

  it("prints no text smaller than 7 pt", async () => {
    const smallest = await opened({ width: 688, media: "print" }, (page) =>
      page.evaluate(`Math.min(...[...document.querySelectorAll("svg text, td, th, p, dd")]
        .filter((each) => each.checkVisibility() && each.textContent.trim() !== "" && !each.closest(".vh"))
        .map((each) => {
          let size = parseFloat(getComputedStyle(each).fontSize) * 0.75;
          for (let at = each; at; at = at.parentElement) size *= Number(getComputedStyle(at).zoom) || 1;
          return size;
        }))`),
    );
    expect(smallest).toBeGreaterThan(6.99);
  });

  it("stays under 2 MB", () => {
    expect(statSync(file).size).toBeLessThan(2_000_000);
  });

  it("counts what is there, and drops nothing", async () => {
    const found = await opened({ width: 1440 }, async (page) => ({
      boards: await page
        .locator(".board")
        .evaluateAll((all: { querySelectorAll(of: string): { length: number } }[]) =>
          all.map((each) => each.querySelectorAll(":scope > tbody > tr").length),
        ),
      rows: await page.locator(".exps tr.e").count(),
      verdict: await texts(page, ".verdict"),
      says: await texts(page, ".say"),
    }));
    const [verdict = ""] = found.verdict;
    const says = found.says.join(" ");
    if (name === "59 items with long names") {
      expect(found.boards).toEqual([59]);
      expect(says).toMatch(
        /is first of 59 by Bayesian Elo, and by Bradley-Terry with probability 0/,
      );
    }
    if (name === "60 items without published numbers") {
      expect(found.boards).toEqual([60]);
      expect(verdict).toBe("The snapshot contains no published numbers.");
      expect(says).toMatch(/is first of 60 by Bradley-Terry, with probability 0/);
    }
    if (name === "200 experiments") {
      expect(found.rows).toBe(200);
      expect(verdict).toContain("54,400 published numbers follow: ");
      const filtered = await opened({ width: 390 }, async (page) => {
        await page.locator("#q").fill("ROUND 17");
        const [words] = await texts(page, "#cnt");
        await page.locator("#q").fill("");
        await page.locator("#fv").selectOption("doubt");
        return [words, await texts(page, "#cnt"), await page.locator(".exps tr.e:visible").count()];
      });
      expect(filtered).toEqual(["11 of 200", ["3 of 200"], 3]);
    }
  });
});
