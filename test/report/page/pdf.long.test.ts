import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserProgram } from "../../support/browser.js";
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

  it("has the same bytes when it is made twice, and is printed as a PDF by a real browser", async () => {
    const [file, pdf] = [join(made.folder, "printed.html"), join(made.folder, "printed.pdf")];
    const { code, stdout, stderr } = await recountHere(["report", "--lake", made.lake, "-o", file, "--pdf", pdf], {
      CHROME_PATH: await browserProgram(made.folder),
    });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: `Wrote ${file}\nWrote ${pdf}\n`, stderr: "" });
    expect(readFileSync(file, "utf8") === page).toBe(true);
    const { pages, text } = readPdf(readFileSync(pdf));
    expect(pages).toBeGreaterThan(3);
    for (const [, title = ""] of page.matchAll(/<h2 [^>]*>(.*?)<\/h2>/g)) expect(text).toContain(title);
    expect(text).toMatch(/1 \/ \d+.*snapshot \d{8}T/s);
    expect(text).not.toContain("↕");
  });
});
