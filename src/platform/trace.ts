import { AsyncLocalStorage } from "node:async_hooks";

type TraceFields = Readonly<Record<string, string | number | boolean>>;

/** Opens and ends the spans of a trace; `S` is a span. */
export interface Tracer<S = unknown> {
  start(name: string, fields: TraceFields, parent: S | undefined): S;
  /** @param error why the span failed; undefined if it succeeded */
  end(span: S, error?: unknown): void;
}

const current = new AsyncLocalStorage<{ readonly tracer: Tracer; readonly span: unknown }>();

/** Traces what `work` does. */
export function withTracer<T>(tracer: Tracer, work: () => Promise<T>): Promise<T> {
  return current.run({ tracer, span: undefined }, work);
}

/** Does `work` within a span of its own, if there is a trace. */
export async function traced<T>(name: string, fields: TraceFields, work: () => Promise<T>): Promise<T> {
  const outer = current.getStore();
  if (outer === undefined) return work();
  const span = outer.tracer.start(name, fields, outer.span);
  try {
    const value = await current.run({ ...outer, span }, work);
    outer.tracer.end(span);
    return value;
  } catch (error) {
    outer.tracer.end(span, error);
    throw error;
  }
}
