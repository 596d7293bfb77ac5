import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsIn } from "../../support/axe.js";
import { startBrowser } from "../../support/browser.js";
import { lakeOfCases, pageOf } from "../../support/report-fixture.js";

let browser: Browser;
let made: Awaited<ReturnType<typeof lakeOfCases>>;
let file = "";
beforeAll(async () => {
  browser = await startBrowser();
  made = await lakeOfCases(["tiny-pairwise", "acr", "mushra", "two-dimensions"], {
    isHostile: true,
  });
  file = join(made.folder, "report.html");
  writeFileSync(file, await pageOf(made));
});
afterAll(async () => {
  await browser.close();
  made.remove();
});

/** Opens the report, and returns what `use` does, with everything that the page said and asked for. */
async function opened<T>(options: BrowserContextOptions, use: (page: Page) => Promise<T>) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const [said, asked]: [string[], string[]] = [[], []];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("dialog", (dialog) => said.push(dialog.message()));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  const result = await use(page);
  await context.close();
  return { result, said, asked: asked.filter((url) => url !== pathToFileURL(file).href) };
}

const unfold = (page: Page) =>
  page.evaluate(`document.querySelectorAll("details").forEach((each) => { each.open = true; })`);

/** Elements outside the viewport that no container of theirs scrolls. */
const overflow = `(() => {
  const width = document.documentElement.clientWidth;
  const isHeld = (of) => { for (let at = of; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== "visible") return true; return false; };
  const out = [...document.body.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > width + 1 && !isHeld(each.parentElement) && !each.closest("svg, .skip, .hidden"));
  return { width: document.documentElement.scrollWidth - width, out: out.map((each) => each.outerHTML.slice(0, 120)) };
})()`;

describe("a report in a browser", () => {
  it.each([360, 800, 1440])(
    "fits a page %d wide, says nothing on the console and asks for nothing",
    async (width) => {
      const { result, said, asked } = await opened(
        { viewport: { width, height: 900 } },
        async (page) => {
          await unfold(page);
          return page.evaluate(overflow);
        },
      );
      expect(result).toEqual({ width: 0, out: [] });
      expect({ said, asked }).toEqual({ said: [], asked: [] });
    },
  );

  it.each(["light", "dark"] as const)(
    "has no violation of accessibility in the %s scheme",
    async (colorScheme) => {
      const { result } = await opened(
        { colorScheme, viewport: { width: 1200, height: 900 } },
        violationsIn,
      );
      expect(result).toEqual([]);
    },
  );

  it("shows hostile names as text: no script runs, and no element comes from them", async () => {
    const { result } = await opened({}, (page) =>
      page.evaluate(`({
        attacked: window.attacked,
        scripts: document.scripts.length,
        images: document.images.length,
        links: [...document.querySelectorAll("[href], [src]")].map((each) => each.getAttribute("href") ?? each.getAttribute("src")).filter((url) => !url.startsWith("#")),
        handlers: [...document.querySelectorAll("*")].flatMap((each) => each.getAttributeNames()).filter((name) => /^on|^style$/.test(name)),
        name: document.querySelector(".experiment h3").textContent.includes("<img src=\\"http://127.0.0.1:9/x\\" onerror='window.attacked=1'>"),
      })`),
    );
    expect(result).toEqual({
      attacked: undefined,
      scripts: 1,
      images: 0,
      links: [],
      handlers: [],
      name: true,
    });
  });

  it("would not run a script of another origin than its own text, even if one were in it", async () => {
    const { result, said } = await opened({}, (page) =>
      page.evaluate(`(() => {
        const script = document.createElement("script");
        script.textContent = "window.attacked = 1";
        document.body.append(script);
        const image = document.createElement("img");
        image.src = "http://127.0.0.1:9/x";
        document.body.append(image);
        return window.attacked ?? null;
      })()`),
    );
    expect(result).toBe(null);
    expect(said.filter((text) => text.includes("Content Security Policy")).length).toBeGreaterThan(
      0,
    );
  });

  it("sorts a table by a column, down and up, and filters the results", async () => {
    const { result, said } = await opened({}, async (page) => {
      await unfold(page);
      const numbers = () =>
        page.locator("#results tbody tr:visible td:nth-child(6)").allTextContents();
      const head = page.locator("#results thead button", { hasText: "Numbers" });
      await head.click();
      const up = await numbers();
      await head.click();
      const down = await numbers();
      const sorted = await page.locator("#results thead th[aria-sort]").getAttribute("aria-sort");
      await page.locator(".tools select").selectOption("bad");
      const bad = await page.locator("#results tbody tr:visible").allTextContents();
      await page.locator(".tools input").fill("no such thing");
      return {
        up,
        down,
        sorted,
        bad,
        none: await page.locator("#results tbody tr:visible").count(),
      };
    });
    const values = result.up.map(Number);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(result.down.map(Number)).toEqual(values.toSorted((a, b) => b - a));
    expect(result.sorted).toBe("descending");
    expect(result.bad.length).toBeGreaterThan(0);
    expect(result.bad.every((row) => row.includes("✗"))).toBe(true);
    expect(result.none).toBe(0);
    expect(said).toEqual([]);
  });

  it("is complete without JavaScript: everything but the tools is there and unfolds", async () => {
    const texts = async (page: Page) =>
      (
        await page.locator("main").evaluate((main: { textContent: string }) => main.textContent)
      ).replaceAll(/\s+/g, " ");
    const withScript = await opened({}, texts);
    const without = await opened({ javaScriptEnabled: false }, async (page) => {
      const shown = await page
        .locator(".tools")
        .evaluateAll((all: { hidden: boolean }[]) => all.map(({ hidden }) => hidden));
      await page.locator("details#all-results > summary").click();
      return { text: await texts(page), shown, isOpen: await page.locator("#results").isVisible() };
    });
    expect(without.result.text).toBe(withScript.result);
    expect(without.result.shown.every(Boolean)).toBe(true);
    expect(without.result.isOpen).toBe(true);
  });

  it("prints tables and plots no wider than a sheet of A4", async () => {
    const { result } = await opened({ viewport: { width: 688, height: 1000 } }, async (page) => {
      await page.emulateMedia({ media: "print" });
      await unfold(page);
      return page.evaluate(overflow);
    });
    expect(result).toEqual({ width: 0, out: [] });
  });

  it("prints what is unfolded, in the light colours and without its tools", async () => {
    const { result } = await opened({ colorScheme: "dark" }, async (page) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
      return page.evaluate(`({
        results: document.querySelector("#results").checkVisibility(),
        background: getComputedStyle(document.body).backgroundColor,
        tools: [...document.querySelectorAll(".tools")].filter((each) => each.offsetParent !== null).length,
      })`);
    });
    expect(result).toEqual({ results: false, background: "rgb(255, 255, 255)", tools: 0 });
  });
});
