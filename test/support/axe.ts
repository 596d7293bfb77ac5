import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { siteFile } from "./browser.js";

const axe = readFileSync(siteFile("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The rules of accessibility that an unfolded page violates, each with how often and the first place. */
export async function violationsIn(page: Page): Promise<unknown[]> {
  await page.evaluate(
    `document.querySelectorAll("details").forEach((each) => { each.open = true; });
     document.querySelectorAll("[hidden=until-found]").forEach((each) => each.removeAttribute("hidden"))`,
  );
  // Through the protocol of the developer tools, which the page's policy does not bind.
  await page.evaluate(axe);
  const all = await page.evaluate<Violation[]>(
    `axe.run(document).then(({ violations }) => violations)`,
  );
  return all.map(({ id, nodes }) => [id, nodes.length, nodes[0]?.html.slice(0, 300)]);
}
