import { expect, it, describe } from "vitest";
import { reportOf, row } from "../support/audit-report.js";
import { attack } from "../support/report-fixture.js";
import { renderJunit, renderMarkdown } from "../../src/report/index.js";
import { markdownText } from "../../src/report/markdown.js";

describe("an audit as Markdown", () => {
  it("says the result first, then the results that differ, and folds the others", () => {
    const text = renderMarkdown(
      reportOf([row("a", "exact", { kind: "elo" }), row("b", "unexplained"), row("c", "exact")]),
    );
    expect(text).toContain("- Codecs, percent_chosen (results): 1 number unexplained");
    expect(text.split("\n")[0]).toBe(
      "### ❌ 1 of 3 published numbers does not follow from the ratings: b is published as 50; 48.0 follows. The other 2 follow exactly.",
    );
    expect(text).toContain(
      "| ❌ | Codecs | percent_chosen | all | results | 2 | 1 exact, 1 unexplained | value +2 |  |",
    );
    expect(text.indexOf("| ✅ | Codecs | elo |")).toBeGreaterThan(
      text.indexOf("<summary>All 2 results</summary>"),
    );
  });

  it.each([
    ["a | b", "a &#124; b"],
    ["<b>x</b> & `y`", "&#60;b&#62;x&#60;/b&#62; &#38; &#96;y&#96;"],
    ["**x** _y_ snake_case", "&#42;&#42;x&#42;&#42; &#95;y&#95; snake_case"],
    ["[x](http://y) www.z", "&#91;x&#93;(http&#58;//y) www&#46;z"],
    ["@team fixes #12", "@<!-- -->team fixes #<!-- -->12"],
  ])("shows %j as itself", (text, markdown) => {
    expect(markdownText(text)).toBe(markdown);
  });

  it("fits into a comment however much differs", () => {
    const many = Array.from({ length: 900 }, (_, i) =>
      row("x", "unexplained", { experiment_id: `e${i}`, experiment_name: attack }),
    );
    expect(renderMarkdown(reportOf(many)).length).toBeLessThan(65_536);
  });
});

describe("an audit as JUnit XML", () => {
  const text = [
    ...renderJunit(
      reportOf([
        row("a", "exact"),
        row(`b ${attack}`, "unexplained"),
        row("c", "unstated", { explanation: "training=include" }),
        row("", "not_auditable", {
          field: "",
          published: null,
          recomputed: null,
          difference: null,
          explanation: "no ratings",
        }),
      ]),
    ),
  ].join("");

  it("has a test for each number: a failure if it does not follow, an error if somebody has to decide", () => {
    expect(text).toContain(
      '<testsuite name="Codecs, percent_chosen of all in results" tests="4" failures="1" errors="2">',
    );
    expect(text).toContain('name="a value"/>');
    expect(text).toContain(
      '<failure type="unexplained" message="unexplained (published 50, recomputed 48, difference +2)"/>',
    );
    expect(text).toContain(
      '<error type="unstated" message="unstated: training=include (published 50, recomputed 48, difference +2)"/>',
    );
    expect(text).toContain('<error type="not_auditable" message="not auditable: no ratings"/>');
  });

  it("escapes names: no element comes from them", () => {
    const tags = text.replaceAll(/"[^"]*"/g, '""').match(/<\/?[a-z]+/g) ?? [];
    const known = ["<testsuites", "<testsuite", "<testcase", "<failure", "<error"];
    expect(tags.filter((tag) => !known.includes(tag.replace("/", "")))).toEqual([]);
  });
});
