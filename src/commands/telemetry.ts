import { codeOf, messageOf, version, withoutSecrets, withTracer, type Tracer } from "../platform/index.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** What is used of the packages of OpenTelemetry, which need not be installed. */
interface Api {
  readonly ROOT_CONTEXT: object;
  readonly trace: {
    setSpan(context: object, span: Span): object;
    setSpanContext(context: object, parent: object): object;
  };
}
interface Span {
  setStatus(status: { code: number; message: string }): void;
  end(): void;
}
interface Provider {
  getTracer(
    name: string,
    version: string,
  ): {
    startSpan(name: string, options: { attributes: object }, context: object): Span;
  };
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}
interface Sdk {
  readonly BasicTracerProvider: new (options: object) => Provider;
  readonly BatchSpanProcessor: new (exporter: object, options: object) => object;
}
interface Exporters {
  readonly OTLPTraceExporter: new () => object;
}
interface Resources {
  readonly resourceFromAttributes: (attributes: object) => object;
}

const packages = ["api", "sdk-trace-base", "exporter-trace-otlp-http", "resources"].map(
  (name) => `@opentelemetry/${name}`,
);

const load = () =>
  Promise.all(packages.map((name) => import(name) as Promise<unknown>)) as Promise<unknown> as Promise<
    [Api, Sdk, Exporters, Resources]
  >;

/** Why there is no trace, and what to do. */
function untraced(error: unknown): string {
  const why = codeOf(error) === "ERR_MODULE_NOT_FOUND" ? "OpenTelemetry is not installed" : messageOf(error);
  return `OTEL_EXPORTER_OTLP_ENDPOINT is set, but no trace is sent: ${why}. Run \`npm install ${packages.join(" ")}\` beside Recount.`;
}

/** Spans that wait to be sent. */
const queued = 100_000;
/** OpenTelemetry's code of a span that failed. */
const failed = 2;

/** The span of the process that started this one (W3C Trace Context), from TRACEPARENT. */
function parentOf({ ROOT_CONTEXT, trace }: Api, traceparent: string | undefined): object {
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
  const spans: Tracer<Span> = {
    start: (name, attributes, parent) =>
      tracer.startSpan(name, { attributes }, parent === undefined ? root : api.trace.setSpan(root, parent)),
    end(span, error) {
      if (error !== undefined) span.setStatus({ code: failed, message: withoutSecrets(messageOf(error)) });
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
