import { packs } from "../../../src/packs.js";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keptPage, textOf } from "../../support/report-fixture.js";

const page = await keptPage();

const partOf = (from: string, to: string): string => {
  const start = page.indexOf(from);
  return page.slice(start, page.indexOf(to, start));
};

describe("a report", () => {
  it("tells the verdict, the false numbers, their causes and the experiments, then the source", () => {
    const titles = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual([
      "The 3 numbers that do not follow",
      "How the others follow",
      "2 experiments",
    ]);
    const parts = page.matchAll(
      /(?:class="(?=verdict|wrong|causes|exps|board|res)|<(?=footer))(\w+)/g,
    );
    const order = [...new Set([...parts].map(([, name]) => name))];
    expect(order).toEqual(["verdict", "wrong", "causes", "exps", "board", "res", "footer"]);
  });

  it("breaks no line between a number and its sign or unit", () => {
    expect(page.slice(page.indexOf("<main>"))).not.toMatch(/\d\s(?<!\u00a0)%|[±]\s(?<!\u00a0)\d/);
  });

  it("names false numbers with what follows, and what the others follow from", () => {
    expect(textOf(partOf('<p class="verdict', "</p>"))).toMatch(
      /6 of 846 published numbers do not follow from the ratings: A .* is not published\./,
    );
    expect(textOf(partOf('<p class="facts', "</p>"))).toContain(
      "The other 840 follow: 756 exactly, 84 under one stated convention · 2 experiments, 2 with published numbers",
    );
    const wrong = textOf(partOf('class="wrong"', "</table>"));
    expect(wrong.match(/Percent chosen/g)).toHaveLength(3);
    const causes = textOf(partOf('class="causes"', "</table>"));
    expect(causes).toMatch(
      /Training = include, as the published options state\. training=include .* 84 stated by the publisher/,
    );
  });

  // What is said of certainty comes from the pack of statistics.
  const hasStatistics = packs.some(({ name }) => name === "statistics");
  it.runIf(hasStatistics)(
    "says once who is first, how sure that is, and how few votes change it",
    () => {
      const said = [...page.matchAll(/<p class="say">([^]*?)<\/p>/g)].map(([, text = ""]) =>
        textOf(text),
      );
      expect(said).toHaveLength(2);
      expect(said.find((text) => text.includes("first of"))).toMatch(
        / is first of 3 by Bayesian Elo\. Leaving out 2 of 12 votes would put C .* first\. $/,
      );
      expect(said.find((text) => !text.includes("first of"))).toMatch(
        /^ Which end is better is not stated\. /,
      );
      expect(page).toMatch(/Krippendorff’s α −?\d\.\d\d \(/);
      expect(page).toMatch(/<dt>Left out<\/dt>\s*<dd>\d+ in training/);
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

  it("draws each plot in a table that names the item and has its numbers", () => {
    expect(page.match(/<svg(?![^>]*aria-hidden)/g)).toBe(null);
    const rows = [
      ...page.matchAll(
        /<th role="rowheader"[^>]*>((?:(?!<\/th>)[^])*)<\/th>\s*<td[^>]*>\s*<svg[^]*?<\/svg\s*><\/td>([^]*?)<\/tr>/g,
      ),
    ];
    expect(rows.length).toBeGreaterThan(9);
    expect(rows).toHaveLength(page.match(/<td[^>]*class="strip"/g)?.length ?? 0);
    for (const [, item = "", cells = ""] of rows) {
      expect(textOf(item).trim()).not.toBe("");
      expect(textOf(cells)).toMatch(/^ (– )?−?\d/);
    }
  });
});
