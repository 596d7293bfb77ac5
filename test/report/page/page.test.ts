import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lakeOfCases, pageOf } from "../../support/report-fixture.js";

let made: Awaited<ReturnType<typeof lakeOfCases>>;
let page = "";
beforeAll(async () => {
  made = await lakeOfCases(["tiny-pairwise", "acr"], { isHostile: true });
  page = await pageOf(made);
  if (process.env.DUMP) (await import("node:fs")).writeFileSync(process.env.DUMP, page);
});
afterAll(() => made.remove());

describe("a report", () => {
  it("has the same bytes when it is made twice", async () => {
    expect(await pageOf(made)).toBe(page);
  });

  it("answers the questions in their order", () => {
    const questions = [...page.matchAll(/<h2 [^>]*>(.*?)<\/h2>/g)].map(([, title]) => title);
    expect(questions).toEqual([
      "Did everything reproduce?",
      "What did not, and why?",
      "How sure are the rankings?",
      "What data are behind it?",
      "How was it computed?",
      "Glossary",
    ]);
  });

  it("loads nothing: its policy allows only its own style and script, by their digests", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&#39;", "'");
    const digest = (tag: string): string => {
      const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page)?.[1] ?? "";
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(policy).toBe(
      `default-src 'none'; style-src ${digest("style")}; script-src ${digest("script")}; base-uri 'none'; form-action 'none'`,
    );
    const tags = page.replaceAll(/="[^"]*"/g, "").match(/<[a-z][^<>]*>/gi) ?? [];
    expect(tags.filter((tag) => /^<(link|iframe|object|embed|base|form|img|image)\b/i.test(tag))).toEqual([]);
    expect(tags.filter((tag) => /\s(style|on[a-z]+)\b/i.test(tag))).toEqual([]);
    expect(tags.filter((tag) => /^<(script|style)/.test(tag))).toEqual(["<style>", "<script>"]);
  });

  it.each([
    "do not follow from the ratings.",
    "Under the explanation",
    "as the published options state (training=include)",
    "the numbers match a result from before session s1x0001 was completed",
    "Carried by 1 session:",
  ])("shows the text of a finding, the numbers under it and what carries it: %s", (text) => {
    expect(page.includes(text)).toBe(true);
  });

  it("has a text alternative for every plot, and the same numbers in a table", () => {
    const plots = [
      ...page.matchAll(/<svg [^>]*role="img" aria-label="[^"]+"><title>[^<]+<\/title><desc>[^<]+<\/desc>/g),
    ];
    expect(plots.length).toBeGreaterThan(5);
    expect(page.match(/<svg/g)).toHaveLength(plots.length);
  });
});
