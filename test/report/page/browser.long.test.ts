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
  page.evaluate(
    `document.querySelectorAll(".exps button[aria-expanded=false]").forEach((each) => each.click())`,
  );

/** Elements outside the viewport that no container of theirs scrolls. */
const overflow = `(() => {
  const width = document.documentElement.clientWidth;
  const isHeld = (of) => { for (let at = of; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== "visible") return true; return false; };
  const out = [...document.body.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > width + 1 && !isHeld(each.parentElement) && !each.closest("svg, .vh, thead"));
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
        links: [...document.querySelectorAll("[href], [src]")].map((each) => each.getAttribute("href") ?? each.getAttribute("src")).filter((url) => !url.startsWith("#x")),
        handlers: [...document.querySelectorAll("*")].flatMap((each) => each.getAttributeNames()).filter((name) => /^on|^style$/.test(name)),
        name: document.querySelector(".exps button").textContent.includes("<img src=\\"http://127.0.0.1:9/x\\" onerror='window.attacked=1'>"),
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

  it("opens and closes a row, also by a search of the browser in it", async () => {
    const { result, said } = await opened({}, async (page) => {
      const button = page.locator(".exps button").nth(1);
      const content = page.locator(".more").nth(1);
      const state = async () => [
        await button.getAttribute("aria-expanded"),
        await content.getAttribute("hidden"),
      ];
      const states = [await state()];
      await button.click();
      states.push(await state());
      await button.click();
      states.push(await state());
      await content.dispatchEvent("beforematch");
      return [...states, await state()];
    });
    const [closed, open] = [
      ["false", "until-found"],
      ["true", null],
    ];
    expect(result).toEqual([closed, open, closed, open]);
    expect(said).toEqual([]);
  });

  it("is complete without JavaScript: every row is open", async () => {
    const texts = async (page: Page) => ({
      text: (
        await page.locator("main").evaluate((main: { textContent: string }) => main.textContent)
      ).replaceAll(/\s+/g, " "),
      hidden: await page.locator(".exps [hidden]").count(),
      tools: await page.locator(".tools:visible").count(),
    });
    const withScript = await opened({}, texts);
    const without = await opened({ javaScriptEnabled: false }, texts);
    expect(without.result).toEqual({ text: withScript.result.text, hidden: 0, tools: 0 });
    expect(withScript.result.hidden).toBeGreaterThan(0);
  });

  it("prints what is unfolded, in the light colours and without its tools", async () => {
    const { result } = await opened({ colorScheme: "dark" }, async (page) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      return page.evaluate(`({
        open: [...document.querySelectorAll(".more")].map((each) => each.querySelector("table")?.checkVisibility() ?? false),
        background: getComputedStyle(document.body).backgroundColor,
        tools: [...document.querySelectorAll(".tools, thead button")].filter((each) => each.offsetParent !== null).length,
      })`);
    });
    expect(result).toEqual({
      open: [true, false, false, false],
      background: "rgb(255, 255, 255)",
      tools: 0,
    });
  });
});
