import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { httpServer } from "../support/raw-server.js";
import { isWhole } from "../support/whole.js";

const dir = mkdtempSync(join(tmpdir(), "recount-trace-"));
const emulator = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });

/** What of OTLP's JSON these tests read. */
interface SpanData {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: Pick<SpanData, "attributes">;
    readonly scopeSpans: readonly { readonly spans: readonly SpanData[] }[];
  }[];
}
let batches: Batch[] = [];
let status = 200;
const collector = await httpServer((response, _, request) => {
  let text = "";
  request.on("data", (piece: Buffer) => (text += piece.toString()));
  request.on("end", () => {
    if (request.url === "/v1/traces") batches.push(JSON.parse(text) as Batch);
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
});
afterAll(async () => {
  await collector.close();
  await emulator.close();
  rmSync(dir, { recursive: true });
});

const file = join(dir, "p.yaml");
writeFileSync(file, "lake: lake\n");
async function run(env: Record<string, string>, key = emulator.apiKey) {
  batches = [];
  const args = ["run", file, "--base-url", emulator.url, "--project", emulator.projectId, "-q"];
  const outcome = await recountHere(args, { RECOUNT_API_KEY: key, ...env });
  const spans = batches.flatMap(({ resourceSpans }) => resourceSpans).flatMap(({ scopeSpans }) => scopeSpans);
  return { ...outcome, spans: spans.flatMap((one) => one.spans) };
}

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
const trace = "0af7651916cd43dd8448eb211c80319c";

it("a run sends its spans, below the span of the process that started it", async () => {
  const { code, stderr, spans } = await run({ ...endpoint, TRACEPARENT: `00-${trace}-b7ad6b7169203331-01` });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const path = (span: SpanData): string => {
    const parent = byId.get(span.parentSpanId ?? "");
    return parent === undefined ? span.name : `${path(parent)} > ${span.name}`;
  };
  const paths = spans.map(path);
  for (const expected of [
    "run",
    "run > export",
    "run > export > experiment",
    "run > export > experiment > read listRatings",
    "run > audit > models",
    "run > audit > models > model metric_elo",
    "run > audit > comparison",
  ])
    expect(paths).toContain(expected);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([trace]));
  const top = spans.find(({ name }) => name === "run");
  expect(top?.parentSpanId).toBe("b7ad6b7169203331");
  expect(top?.attributes).toContainEqual({ key: "project", value: { stringValue: emulator.projectId } });
  const [{ resource } = { resource: { attributes: [] } }] = batches[0]?.resourceSpans ?? [];
  expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "recount" } });
});

it("a run that fails has a span that failed, without the key", async () => {
  const { code, spans } = await run(endpoint, "planted-wrong-key");
  expect(code).toBe(4);
  expect(spans.find(({ name }) => name === "run")?.status).toMatchObject({
    ...{ code: 2, message: expect.stringContaining("rejects the credentials") as string },
  });
  expect(JSON.stringify(batches)).not.toContain("planted");
});

it.runIf(isWhole("nights"))("a collector that refuses changes no exit code", async () => {
  status = 400;
  const { code } = await run(endpoint);
  status = 200;
  expect(code).toBe(0);
});

it.runIf(isWhole("nights"))("without an endpoint nothing is sent", async () => {
  expect((await run({})).spans).toEqual([]);
});
