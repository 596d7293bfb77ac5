import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { read } from "../support/root.js";

describe("package.json", () => {
  it("has no script that npm would run, or warn of, where the package is installed", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    expect(
      Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name)),
    ).toEqual([]);
  });

  it("has the version and the licence that CITATION.cff states", () => {
    const { version, license } = JSON.parse(read("package.json")) as Record<string, string>;
    expect(parse(read("CITATION.cff"))).toMatchObject({ version, license });
  });

  it("is locked without the names of download hosts, and for Node 20", () => {
    type Entry = { resolved?: string; dev?: boolean; version: string; engines?: { node?: string } };
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, Entry>;
    };
    const entries = Object.entries(packages);
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    const newer = entries.filter(([, { engines }]) =>
      /^>=? ?(2[1-9]|[3-9]\d)/.test(engines?.node ?? ""),
    );
    expect(newer.map(([name]) => name)).toEqual([]);
  });
});
