import { packs } from "../../../src/packs.js";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keptPage } from "../../support/report-fixture.js";

const page = await keptPage();

describe("a report", () => {
  it("tells the verdict, its causes and the experiments, then the rest", () => {
    const titles = [...page.matchAll(/<h2 [^>]*>(.*?)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual(["Causes", "Experiments", "Data", "How it was computed"]);
    const main = page.slice(page.indexOf("<body>"));
    const places = ['class="verdict', 'class="causes"', 'class="experiment"', "<button"];
    const found = places.map((text) => main.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    const [, causes = ""] = /<ul class="causes">([^]*?)<\/ul>/.exec(main) ?? [];
    // As the console and the finding below have it.
    const why =
      "3 of 3 results that differ match when training = include, as the published options state (training=include).";
    expect(causes).toContain(why);
    expect(main.split(why.slice(1))).toHaveLength(3);
  });

  // The statements come from the pack of statistics.
  const hasStatements = packs.some(({ name }) => name === "statistics");
  it.runIf(hasStatements)(
    "says once who is first, how sure that is, and how few votes change it",
    () => {
      const lines = [...page.matchAll(/<summary>([^]*?)<\/summary>/g)]
        .map(([, line = ""]) => line.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "))
        .filter((line) => / is (first|highest) of /.test(line));
      expect(lines).toHaveLength(2);
      const scores = lines.find((line) => line.includes("mean score")) ?? "";
      const pairs = lines.find((line) => line.includes("Bradley-Terry")) ?? "";
      for (const line of [scores, pairs])
        expect(line.match(/ is (first|highest) of \d+ by /g)).toHaveLength(1);
      expect(scores).toMatch(
        / is highest of 7 by mean score\. Which end is better is not stated\. It is the highest with probability 0\.\d\d; Holm&#39;s test of its 6 comparisons at 5 % does not separate it from sys2/,
      );
      expect(scores).not.toMatch(/\b(best|first|wins?)\b/);
      expect(pairs).toMatch(/Leaving out \d+ of [\d,]+ votes would put .* first\./);
      expect(page).toMatch(/Krippendorff&#39;s α is −?\d\.\d\d/);
      expect(page).toMatch(/\d+ of \d+ ratings do not count: \d+ by &quot;training&quot;/);
    },
  );

  it("loads nothing: its policy allows only its own style and script, by their digests", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/
      .exec(page)?.[1]
      ?.replaceAll("&#39;", "'");
    const digest = (tag: string): string => {
      const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page)?.[1] ?? "";
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(policy).toBe(
      `default-src 'none'; style-src ${digest("style")}; script-src ${digest("script")}; base-uri 'none'; form-action 'none'`,
    );
    const tags = page.replaceAll(/="[^"]*"/g, "").match(/<[a-z][^<>]*>/gi) ?? [];
    expect(
      tags.filter((tag) => /^<(link|iframe|object|embed|base|form|img|image)\b/i.test(tag)),
    ).toEqual([]);
    expect(tags.filter((tag) => /\s(style|on[a-z]+)\b/i.test(tag))).toEqual([]);
    expect(tags.filter((tag) => /^<(script|style)/.test(tag))).toEqual(["<style>", "<script>"]);
  });

  it.each([
    "do not follow from the ratings.",
    "Under the explanation",
    "as the published options state (training=include)",
    "is not published; every other item matches",
    "Carried by item A",
  ])("shows the text of a finding, the numbers under it and what carries it: %s", (text) => {
    expect(page.includes(text)).toBe(true);
  });

  it("draws each plot in a table that names the item and has its numbers", () => {
    expect(page.match(/<svg(?![^>]*aria-hidden)/g)).toBe(null);
    const rows = [
      ...page.matchAll(/<th scope="row">(.*?)<\/th>\s*<td class="plot">.*?<\/td>(.*?)<\/tr>/gs),
    ];
    expect(rows.length).toBeGreaterThan(9);
    expect(rows).toHaveLength(page.match(/<td class="plot">/g)?.length ?? 0);
    for (const [, item = "", cells = ""] of rows) {
      expect(item.replaceAll(/<[^>]*>/g, "")).not.toBe("");
      expect(cells).toMatch(/<td class="num">−?-?\d/);
    }
  });
});
