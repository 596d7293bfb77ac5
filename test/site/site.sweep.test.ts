import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { siteFile, startBrowser } from "../support/browser.js";
import { read, root } from "../support/root.js";

const vitepress = siteFile("vitepress/bin/vitepress.js");
const axe = readFileSync(siteFile("axe-core/axe.min.js"), "utf8");
const folder = folderOfTests("recount-site-test");
const built = join(folder, "built");
const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

const run = promisify(execFile);
const build = (site: string, out: string) =>
  run(process.execPath, [vitepress, "build", site, "--outDir", out], { cwd: root });

const server = createServer((request, response) => {
  const path = join(built, decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname));
  try {
    const body = readFileSync(path.endsWith("/") ? `${path}index.html` : path);
    response.writeHead(200, { "content-type": types[extname(path)] ?? "text/html" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});

let browser: Browser;
let address = "";
let pages: string[] = [];
beforeAll(async () => {
  // Without `predocs:site`, which installs again what other tests use.
  await run("npm", ["run", "--ignore-scripts", "docs:site", "--", "--outDir", built], {
    cwd: root,
  });
  pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(/\.md$/, ".html"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

async function opened<T>(
  path: string,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<T>,
) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  const outside: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("data:"))
      outside.push(request.url());
  });
  await page.goto(`${address}/${path}`, { waitUntil: "networkidle" });
  const result = await use(page);
  await context.close();
  return { result, errors, outside };
}

describe("the site of the documentation", () => {
  it("fits screens 1440, 1024 and 390 wide on every page, and loads nothing from elsewhere", async () => {
    for (const path of pages) {
      const found = await opened(path, {}, async (page) => {
        const beyond: unknown[] = [];
        for (const width of [1440, 1024, 390]) {
          await page.setViewportSize({ width, height: 900 });
          beyond.push(
            await page.evaluate(
              `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
            ),
          );
        }
        return beyond;
      });
      expect({ path, ...found }).toEqual({ path, result: [0, 0, 0], errors: [], outside: [] });
    }
  });

  it.each(["light", "dark"] as const)(
    "has no violation of accessibility in the %s scheme",
    async (colorScheme) => {
      const shown = [
        "index",
        "tutorials/first-audit",
        "how-to/report",
        "reference/exit-codes",
        "explanation/statistics",
      ];
      for (const path of shown) {
        const { result } = await opened(`${path}.html`, { colorScheme }, async (page) => {
          await page.evaluate(axe);
          return page.evaluate(`axe.run(document, { iframes: false }).then(({ violations }) => violations
          .map(({ id, nodes }) => id + ": " + nodes[0].html))`);
        });
        expect({ path, result }).toEqual({ path, result: [] });
      }
    },
  );

  it("finds a page by its text, without a service", async () => {
    const { result, outside } = await opened("index.html", {}, async (page) => {
      await page.keyboard.press("Control+k");
      await page.locator(".VPLocalSearchBox input").fill("quarantine");
      return page.locator(".VPLocalSearchBox .result").first().getAttribute("href");
    });
    expect(pages.map((path) => `/${path}`)).toContain(result?.replace(/#.*/, ""));
    expect(outside).toEqual([]);
  });

  it("shows the report of the demo as a live example, and copies of files outside docs/", async () => {
    const { result } = await opened("how-to/report.html", {}, (page) =>
      page.frameLocator("iframe").locator("h1").first().textContent(),
    );
    expect(result).toContain("Listen42");
    expect(readFileSync(join(built, "files/pipelines/nightly.yaml.txt"), "utf8")).toBe(
      read("pipelines/nightly.yaml"),
    );
  });

  it("has every page and file to which a page links", () => {
    const files = new Set(readdirSync(built, { recursive: true, encoding: "utf8" }));
    const links = pages.flatMap((path) => [
      ...readFileSync(join(built, path), "utf8").matchAll(/<a [^>]*href="\/([^"#]+)/g),
    ]);
    expect(links.length).toBeGreaterThan(1000);
    expect(links.map(([, target = ""]) => target).filter((target) => !files.has(target))).toEqual(
      [],
    );
  });

  it.each([
    ["a page", "[x](no-such-page.md)", /dead link/],
    ["a file outside docs/", "[x](../no-such-file.yaml)", /no-such-file\.yaml does not exist/],
  ])("is not built with a link to %s that does not exist", async (_, text, message) => {
    const copy = mkdtempSync(join(folder, "copy-"));
    mkdirSync(join(copy, "docs"));
    mkdirSync(join(copy, "site/.vitepress"), { recursive: true });
    writeFileSync(
      join(copy, "site/.vitepress/config.js"),
      `export { default } from ${JSON.stringify(join(root, "site/.vitepress/config.js"))};\n`,
    );
    writeFileSync(join(copy, "docs/index.md"), `# Planted\n\n${text}\n`);
    const failure: unknown = await build(join(copy, "site"), join(copy, "out")).catch(
      (error: unknown) => error,
    );
    expect(
      `${(failure as { stdout: string }).stdout}${(failure as { stderr: string }).stderr}`,
    ).toMatch(message);
  });
});
