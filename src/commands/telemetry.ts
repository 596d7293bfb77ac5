import type * as Api from "@opentelemetry/api";
import type * as Exporters from "@opentelemetry/exporter-trace-otlp-http";
import type * as Resources from "@opentelemetry/resources";
import type * as Sdk from "@opentelemetry/sdk-trace-base";
import {
  codeOf,
  messageOf,
  version,
  withoutSecrets,
  withTracer,
  type Environment,
  type Tracer,
} from "../platform/index.js";

const packages = ["api", "sdk-trace-base", "exporter-trace-otlp-http", "resources"].map(
  (name) => `@opentelemetry/${name}`,
);

/** The packages need not be installed, and the bundle contains none of them. */
const load = async () =>
  (await Promise.all(packages.map((name) => import(name) as Promise<unknown>))) as [
    typeof Api,
    typeof Sdk,
    typeof Exporters,
    typeof Resources,
  ];

/** Why there is no trace, and what to do. */
function untraced(error: unknown): string {
  const why = codeOf(error) === "ERR_MODULE_NOT_FOUND" ? "OpenTelemetry is not installed" : messageOf(error);
  return `OTEL_EXPORTER_OTLP_ENDPOINT is set, but no trace is sent: ${why}. Run \`npm install ${packages.join(" ")}\` beside Recount.`;
}

/** Spans that wait to be sent. */
const queued = 100_000;

/** The span of the process that started this one (W3C Trace Context), from TRACEPARENT. */
function parentOf({ ROOT_CONTEXT, trace }: typeof Api, traceparent: string | undefined): Api.Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: parseInt(flags ?? "0", 16),
    isRemote: true,
  });
}

/** Sends a trace of `work` where OTEL_EXPORTER_OTLP_ENDPOINT says. What cannot be sent is a warning. */
export async function withTelemetry<T>(
  env: Environment,
  warn: (message: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED === "true") return work();
  const loaded = await load().catch((error: unknown) => {
    warn(untraced(error));
    return null;
  });
  if (loaded === null) return work();
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = loaded;
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      "service.name": env.OTEL_SERVICE_NAME ?? "recount",
      "service.version": version,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter(), { maxQueueSize: queued })],
  });
  const root = parentOf(api, env.TRACEPARENT);
  const tracer = provider.getTracer("recount", version);
  const spans: Tracer<Api.Span> = {
    start: (name, attributes, parent) =>
      tracer.startSpan(name, { attributes }, parent === undefined ? root : api.trace.setSpan(root, parent)),
    end(span, error) {
      if (error !== undefined)
        span.setStatus({ code: api.SpanStatusCode.ERROR, message: withoutSecrets(messageOf(error)) });
      span.end();
    },
  };
  try {
    return await withTracer(spans as Tracer, work);
  } finally {
    await provider
      .forceFlush()
      .then(() => provider.shutdown())
      .catch((error: unknown) => warn(`The trace was not sent: ${messageOf(error)}`));
  }
}
