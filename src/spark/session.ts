/** A session of Spark Connect: statements, views, and rows as Arrow. */
import { randomUUID } from "node:crypto";
import { tableFromIPC } from "apache-arrow";
import type { Columns, ColumnVector } from "../metrics/index.js";
import {
  type Clock,
  InterruptedError,
  type Random,
  systemClock,
  systemRandom,
} from "../platform/index.js";
import { joinedVectors, type SparkAddress, type VectorKind } from "../warehouse/index.js";
import {
  createPatience,
  isOrphan,
  isTemporary,
  isUnknownOperation,
  sparkError,
  SparkError,
} from "./failures.js";
import { openService, type SparkPlan, type Relation, type ResponseStream } from "./service.js";

/** About every two seconds. */
type OnTasks = (done: number, tasks: number) => void;

export interface SparkSession {
  /** Runs one statement. @throws SparkError. */
  run(sql: string, onTasks?: OnTasks): Promise<void>;
  /**
   * Creates or replaces the temporary view `name` of Parquet files or folders, with these columns
   * (Spark's DDL) if given.
   */
  view(
    name: string,
    paths: readonly string[],
    options?: { readonly schema?: string; readonly base?: string },
  ): Promise<void>;
  batches(sql: string): AsyncIterable<Uint8Array>;
  /**
   * A query's columns as typed arrays (integer, tinyint, double), in its order of rows.
   * @throws SparkError for a NULL.
   */
  columns(sql: string, onTasks?: OnTasks): Promise<Columns>;
  interrupt(): void;
  /** Ends the session; what it ran is stopped. */
  close(): Promise<void>;
}

interface SessionEffects {
  readonly clock: Clock;
  readonly random: Random;
  /** Certificates of the authorities to trust, PEM; default: those of Node. */
  readonly authorities?: string | undefined;
}

/** How long a farewell may take: the server forgets a session by itself too. */
const farewellMs = 5_000;

interface Link {
  readonly service: ReturnType<typeof openService>;
  readonly where: string;
  readonly own: Readonly<Record<string, unknown>>;
  readonly isStopped: () => boolean;
  readonly clock: Clock;
  readonly random: Random;
  observed: string | undefined;
}

/** If the stream breaks, reading continues after the last response that came. */
async function* execute(
  link: Link,
  plan: SparkPlan,
  onTasks?: OnTasks,
): AsyncGenerator<Uint8Array> {
  const { service, own, isStopped } = link;
  const known = () =>
    link.observed === undefined ? {} : { client_observed_server_side_session_id: link.observed };
  let operation = { ...own, operation_id: randomUUID() };
  const request_options = [{ reattach_options: { reattachable: true } }];
  const start = () => service.ExecutePlan({ ...operation, ...known(), plan, request_options });
  const patience = createPatience(link.observed !== undefined, link.clock, link.random);
  let last: string | undefined;
  const goOn = () =>
    service.ReattachExecute({
      ...operation,
      ...known(),
      ...(last === undefined ? {} : { last_response_id: last }),
    });
  let open: () => ResponseStream = start;
  let stream: ResponseStream | undefined;
  try {
    for (;;) {
      if (isStopped()) throw new InterruptedError();
      try {
        stream = open();
        for await (const response of stream) {
          patience.renew();
          last = response.response_id;
          link.observed ??= response.server_side_session_id;
          if (response.result_complete) return;
          const { stages } = response.execution_progress ?? {};
          if (stages) onTasks?.(sum(stages, "num_completed_tasks"), sum(stages, "num_tasks"));
          if (!response.arrow_batch) continue;
          yield response.arrow_batch.data;
          service.ReleaseExecute(
            { ...operation, release_until: { response_id: last } },
            () => undefined,
          );
        }
        open = goOn;
      } catch (error) {
        if (isStopped()) throw new InterruptedError();
        if (last === undefined && isUnknownOperation(error)) open = start;
        else if (last === undefined && isOrphan(error)) {
          operation = { ...own, operation_id: randomUUID() };
          open = start;
        } else if (isTemporary(error)) open = goOn;
        else throw error;
        await patience.wait(error);
      }
    }
  } catch (error) {
    throw error instanceof InterruptedError ? error : sparkError(error, link.where);
  } finally {
    stream?.cancel();
    service.ReleaseExecute({ ...operation, release_all: {} }, () => undefined);
  }
}

export function openSparkSession(
  address: SparkAddress,
  { clock, random, authorities }: SessionEffects = { clock: systemClock, random: systemRandom },
): SparkSession {
  const service = openService(address, authorities);
  const where = `${address.host}:${address.port}`;
  const own = {
    session_id: randomUUID(),
    user_context: { user_id: address.user },
    client_type: "recount",
  };
  const stop = new AbortController();
  const link: Link = {
    service,
    where,
    own,
    isStopped: () => stop.signal.aborted,
    clock,
    random,
    observed: undefined,
  };
  let closing: Promise<void> | undefined;

  async function drain(plan: SparkPlan, onTasks?: OnTasks): Promise<void> {
    const batches = execute(link, plan, onTasks);
    while ((await batches.next()).done !== true) continue;
  }

  const batches = (query: string, onTasks?: OnTasks) =>
    execute(link, { root: { sql: { query } } }, onTasks);

  return {
    run: (query, onTasks) =>
      drain({ command: { sql_command: { input: { sql: { query } } } } }, onTasks),
    view(name, paths, { schema, base } = {}) {
      const options = base === undefined ? {} : { basePath: base };
      const source = {
        format: "parquet" as const,
        paths,
        options,
        ...(schema === undefined ? {} : { schema }),
      };
      const input: Relation = { read: { data_source: source } };
      return drain({ command: { create_dataframe_view: { input, name, replace: true } } });
    },
    batches,
    columns: (sql, onTasks) => collectColumns(batches(sql, onTasks)),
    interrupt() {
      stop.abort();
      service.Interrupt({ ...own, interrupt_type: "INTERRUPT_TYPE_ALL" }, () => undefined);
    },
    close() {
      const deadline = systemClock.now().getTime() + farewellMs;
      closing ??= new Promise<void>((resolve) =>
        service.ReleaseSession(own, { deadline }, () => resolve()),
      ).then(service.close);
      return closing;
    },
  };
}

function sum<Key extends string>(
  all: readonly { readonly [K in Key]?: number }[],
  key: Key,
): number {
  return all.reduce((total, one) => total + (one[key] ?? 0), 0);
}

/** Major and minor version of the Spark behind a Connect server. @throws SparkError */
export async function clusterVersion(address: SparkAddress): Promise<string> {
  const session = openSparkSession(address);
  try {
    // As the models begin: not every server of Spark Connect has it.
    await session.run("create or replace temporary function one() returns int return 1");
    const parts = ["major", "minor"].map(
      (name, i) => `int(split_part(version(), '.', ${i + 1})) as ${name}`,
    );
    const { major, minor } = await session.columns(`select ${parts.join(", ")}`);
    return `${major?.[0]}.${minor?.[0]}`;
  } finally {
    await session.close();
  }
}

const arrowVectors: Readonly<Record<string, VectorKind>> = {
  Int32: Int32Array,
  Int8: Int8Array,
  Float64: Float64Array,
};

/** Memory holds the rows once, and one column twice. */
async function collectColumns(batches: AsyncIterable<Uint8Array>): Promise<Columns> {
  const pieces = new Map<string, { readonly kind: VectorKind; readonly of: ColumnVector[] }>();
  for await (const bytes of batches) {
    const table = tableFromIPC(bytes);
    for (const { name, type } of table.schema.fields) {
      const kind = arrowVectors[String(type)];
      if (kind === undefined)
        throw new SparkError(
          `Column ${name} is ${String(type)}: cast it to int, tinyint or double.`,
        );
      const column = pieces.get(name) ?? { kind, of: [] };
      pieces.set(name, column);
      for (const data of table.getChild(name)!.data) {
        if (data.nullCount > 0)
          throw new SparkError(`Column ${name} has a NULL: the query must yield none.`);
        if (data.length > 0) column.of.push((data.values as ColumnVector).slice(0, data.length));
      }
    }
  }
  return Object.fromEntries(
    [...pieces].map(([name, { kind, of }]) => [name, joinedVectors(of, kind)]),
  );
}
