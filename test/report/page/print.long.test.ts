import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../../support/browser.js";
import { recountHere } from "../../support/in-process.js";
import { readPdf } from "../../support/pdf-text.js";
import { lakeOfCases, pageOf } from "../../support/report-fixture.js";

let made: Awaited<ReturnType<typeof lakeOfCases>>;
let page = "";
beforeAll(async () => {
  made = await lakeOfCases(["tiny-pairwise", "acr"], { isHostile: true });
  page = await pageOf(made);
});
afterAll(() => made.remove());

describe("a report", () => {
  it("is the same where a secret is one of its own words", async () => {
    const file = join(made.folder, "words.html");
    const words = { RECOUNT_BASIC_PASSWORD: "unexplained", RECOUNT_SESSION_ID: "rows" };
    expect(await recountHere(["report", "--lake", made.lake, "-o", file], words)).toMatchObject({
      code: 1,
      stderr: "",
    });
    expect(readFileSync(file, "utf8").match(/<h2 /g)?.length).toBe(page.match(/<h2 /g)?.length);
  });

  it("has the same bytes when it is made twice", async () => {
    const file = join(made.folder, "again.html");
    const { code, stdout, stderr } = await recountHere(["report", "--lake", made.lake, "-o", file]);
    const counts = "Published numbers: 846 (756 exact, 84 explained, 6 unexplained).";
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: `Wrote ${file}\nExit code 1 (unexplained): see the page. ${counts}\n`,
      stderr: "",
    });
    expect(readFileSync(file, "utf8") === page).toBe(true);
  });

  it.each(["A4", "Letter"])(
    "is printed on %s with page numbers, and without what is folded",
    async (format) => {
      const browser = await startBrowser();
      try {
        const tab = await browser.newPage();
        await tab.setContent(page);
        const folded = await tab
          .locator(".more[hidden] :is(h3, dd)")
          .evaluateAll((all: { textContent: string }[]) => all.map((each) => each.textContent));
        const { pages, text } = readPdf(await tab.pdf({ format, preferCSSPageSize: true }));
        expect(pages).toBeGreaterThan(1);
        const plain = (said: string) => said.replaceAll(/\s+/g, "");
        const printed = plain(text);
        for (const [, title = ""] of page.matchAll(/<h2>([^]*?)<\/h2>/g))
          expect(printed).toContain(plain(title));
        expect(text).toMatch(/1 \/ \d+.*snapshot \d{8}T/s);
        const own = folded.filter((said) => /Mean score|of 7 ratings/.test(said));
        expect(own.length).toBeGreaterThan(0);
        expect(own.filter((said) => printed.includes(plain(said)))).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );

  it("is printed without a heading alone at the end of a page of any height", async () => {
    const browser = await startBrowser();
    try {
      const tab = await browser.newPage();
      // The policy takes the style as it is only.
      await tab.setContent(page.replace("size: A4", "").replace(/<meta http-equiv[^>]*>/, ""));
      for (let height = 110; height < 300; height += 7) {
        const { text } = readPdf(await tab.pdf({ width: "210mm", height: `${height}mm` }));
        expect(text).not.toMatch(/\d experiments\n|The ratings\n/);
      }
    } finally {
      await browser.close();
    }
  });
});
