import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keptPage } from "../../support/report-fixture.js";

const page = await keptPage();

describe("a report", () => {
  it("answers the questions in their order", () => {
    const questions = [...page.matchAll(/<h2 [^>]*>(.*?)<\/h2>/g)].map(([, title]) => title);
    expect(questions).toEqual([
      "What did not reproduce, and why?",
      "Which experiments reproduce?",
      "How sure are the rankings?",
      "Would the rankings survive doubt?",
      "What data are behind it?",
      "How was it computed?",
      "Glossary",
    ]);
  });

  it("says in words whether neighbours are separated, how few votes change the first, and what does not count", () => {
    const text = page.slice(page.indexOf("Would the rankings survive doubt?")).replaceAll(/<[^>]*>/g, " ");
    expect(text).toMatch(/By Bradley-Terry: (\d+ of \d+ neighbours are separated at 5|Nothing can be said)/);
    expect(text).toMatch(/would be first instead of .* without (at most )?\d+ of \d+ votes?\./);
    expect(text).toMatch(/Krippendorff&#39;s α is −?\d\.\d\d/);
    expect(text).toMatch(/\d+ of \d+ ratings do not count: \d+ by &quot;training&quot;/);
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
    "Carried by session s1x0001",
  ])("shows the text of a finding, the numbers under it and what carries it: %s", (text) => {
    expect(page.includes(text)).toBe(true);
  });

  it("has a text alternative for every plot, and the same numbers in a table", () => {
    const plots = [
      ...page.matchAll(/<svg role="img" aria-label="([^"]+)"[^>]*>\s*<title>[^<]+<\/title>\s*<desc>[^<]+<\/desc>/g),
    ];
    expect(plots.map(([, label]) => label)).toEqual([expect.stringMatching(/^Elo over sessions/)]);
    const named = page.match(/<svg(?![^>]*(aria-hidden|preserveAspectRatio))/g);
    expect(named).toHaveLength(plots.length);
  });
});
