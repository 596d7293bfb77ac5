import { describe, expect, it } from "vitest";
import { clientFixture, httpServer } from "../support/raw-server.js";

let headers: Record<string, string | string[]> = {};
const list = async () => {
  const server = await httpServer((response) => response.writeHead(200, headers).end("[1,2]"));
  return clientFixture(server, { retry: { attempts: 2 } }).client.call("listDatasets", {
    project_id: "P1",
  });
};

describe("a list of two elements", () => {
  it.each([
    ["link", '<https://x/?page=2>; rel="next"'],
    ["link", "</a>; rel=prev, </b>; title=x; REL=next"],
    ["content-range", "items 0-1/60"],
    ["content-range", "bytes 0-4/200"],
    ["content-range", "items */60"],
    ["x-next-page", "2"],
    ["next-page-token", "abc"],
    ["x-ms-continuation", "abc"],
    ["x-has-more", "true"],
    ["x-total-pages", "3"],
    ["x-page-count", "3"],
    ["x-pagination", '{"total_pages":3}'],
    ["x-pagination", '{"nextPage":2}'],
    ["x-pagination", '{"links":{"next":"/?page=2"}}'],
    ["link", "<https://x/?page=2>; rel='next'"],
    ["link", '<https://x/?page=3>; rel="last"'],
    ["link", '</a>; rel="prev", </style.css>; rel=preload; title=next'],
    ["content-range", "0-1/60"],
    ["content-range", "ratings=0-1/60"],
    ["x-truncated", "true"],
  ])("with %s: %s is one page: refused at once", async (name, value) => {
    headers = { [name]: value };
    await expect(list()).rejects.toThrow(`one page of a longer list (${name}: ${value})`);
  });

  it.each([
    ["content-range", "0-1/*"],
    ["content-range", "items 0-1/*"],
    ["content-range", "nonsense"],
    ["link", "https://x/?page=2; rel=next"],
    ["x-total-count", "unknown"],
    ["x-total-pages", "many"],
    ["x-pagination", "{"],
  ])("with %s: %s may be one page: refused at once", async (name, value) => {
    headers = { [name]: value };
    await expect(list()).rejects.toThrow(
      `does not say whether the list is whole (${name}: ${value})`,
    );
  });

  it("with 1,060 as its total is too short", async () => {
    headers = { "x-total-count": "1,060" };
    await expect(list()).rejects.toThrow("the service announced 1060 (x-total-count: 1,060)");
  });

  it.each([
    ["x-total-count", "60"],
    ["x-pagination-total-count", "60"],
    ["x-total-results", "60"],
    ["x-pagination", '{"totalCount":60}'],
    ["content-range", "items 0-59/60"],
    ["x-wp-total", "60"],
    ["x-result-count", "60"],
    ["x-total-count", "60, 60"],
  ])("with %s: %s is too short", async (name, value) => {
    headers = { [name]: value };
    await expect(list()).rejects.toThrow(
      `2 elements came, but the service announced 60 (${name}: ${value}). Gave up after 2 attempts.`,
    );
  });

  it.each([
    ["link", "</style.css>; rel=preload; title=next, </?page=1>; rel=first, </?page=1>; rel=last;"],
    ["content-range", "items 0-1/2"],
    ["content-range", "bytes 0-4/5"],
    ["x-next-page", ""],
    ["x-next-cursor", "null"],
    ["x-has-more", "false"],
    ["x-total-pages", "1"],
    ["x-total-count", "2"],
    ["x-total-count", ""],
    ["x-truncated", "no"],
    ["x-nextjs-cache", "HIT"],
    ["x-ratelimit-total", "5000"],
    ["x-pagination", '{"total_count":2,"next":null,"links":{}}'],
  ])("with %s: %s is whole", async (name, value) => {
    headers = { [name]: value };
    expect(await list()).toEqual([1, 2]);
  });
});
