import grpc from "@grpc/grpc-js";
import { Table, tableFromIPC, tableToIPC, vectorFromArray, Int32, Int64 } from "apache-arrow";
import { afterEach, describe, expect, it } from "vitest";
import { sparkAddress } from "../../../src/warehouse/spark-address.js";
import { openSparkSession, type SparkSession } from "../../../src/spark/session.js";
import {
  batch,
  breakableWay,
  complete,
  failure,
  fakeSpark,
  type Call,
  type FakeSpark,
} from "../../support/fake-spark.js";
import { until } from "../../support/until.js";
import { virtualClock } from "../../support/virtual-clock.js";
import { isWhole } from "../../support/whole.js";

const opened: { close(): unknown }[] = [];
const kept = <T extends { close(): unknown }>(one: T): T => {
  opened.push(one);
  return one;
};
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function session(
  ...handlers: FakeSpark["handlers"]
): Promise<{ spark: FakeSpark; open: SparkSession }> {
  const spark = kept(await fakeSpark());
  spark.handlers.push(...handlers);
  return { spark, open: kept(sessionAt(spark.port)) };
}

const sessionAt = (port: number) =>
  openSparkSession(sparkAddress(`sc://127.0.0.1:${port}`), {
    clock: virtualClock(),
    random: () => 1,
  });

const responds =
  (...responses: Record<string, unknown>[]) =>
  (call: Call) => {
    for (const response of responses) call.write(response);
    call.end();
  };
const fails = (code: grpc.status, details: string) => (call: Call) =>
  void call.emit("error", failure(code, details));
const methods = ({ asked }: FakeSpark) =>
  asked.map(({ method }) => method).filter((name) => !name.startsWith("Release"));

describe("a session of Spark Connect", () => {
  it("reads a query's columns in order, batch by batch, also none", async () => {
    const { spark, open } = await session(
      responds(batch("1", [3, -1]), batch("2", [7]), complete("3")),
      responds(batch("1", []), complete("2")),
    );
    expect(await open.columns("select 1")).toEqual({
      a: Int32Array.of(3, -1, 7),
      outcome: Int8Array.of(1, -1, 1),
      score: Float64Array.of(0.75, -0.25, 1.75),
    });
    expect(await open.columns("select 1")).toEqual({
      a: new Int32Array(),
      outcome: new Int8Array(),
      score: new Float64Array(),
    });
    expect(spark.asked[0]?.request.plan).toMatchObject({ root: { sql: { query: "select 1" } } });
  });

  it("refuses a NULL, and a number that may not fit", async () => {
    const holding = (columns: ConstructorParameters<typeof Table>[0]) =>
      responds({
        ...batch("1", []),
        arrow_batch: { data: tableToIPC(new Table(columns as never), "stream") },
      });
    const { open } = await session(
      holding({ a: vectorFromArray([1, null], new Int32()) } as never),
      holding({ n: vectorFromArray([2n ** 60n], new Int64()) } as never),
    );
    await expect(open.columns("select 1")).rejects.toThrow("Column a has a NULL");
    await expect(open.columns("select 1")).rejects.toThrow("Column n is Int64");
  });

  it("goes on where a broken connection stopped, with each row once", async () => {
    const spark = kept(await fakeSpark());
    const way = kept(await breakableWay(spark.port));
    const open = kept(sessionAt(way.port));
    spark.handlers.push(
      (call) => void call.write(batch("first", [1, 2])),
      responds(batch("second", [3]), complete("third")),
    );
    const rows: number[] = [];
    const read = (async () => {
      for await (const bytes of open.batches("select 1")) {
        rows.push(tableFromIPC(bytes).numRows);
        if (rows.length === 1) way.breakNow();
      }
    })();
    await read;
    expect(rows).toEqual([2, 1]);
    expect(methods(spark)).toEqual(["ExecutePlan", "ReattachExecute"]);
    const [first, second] = spark.asked.filter(({ method }) => !method.startsWith("Release"));
    expect(second?.request).toMatchObject({
      last_response_id: "first",
      operation_id: first?.request.operation_id,
      client_observed_server_side_session_id: "one",
    });
  });

  it("goes on when the server ends a stream early, and starts again what never arrived", async () => {
    const { spark, open } = await session(
      fails(grpc.status.UNAVAILABLE, "moving"),
      fails(grpc.status.INTERNAL, "[INVALID_HANDLE.OPERATION_NOT_FOUND] The handle is invalid."),
      responds(batch("1", [5])),
      responds(complete("2")),
    );
    expect((await open.columns("select 1")).a).toEqual(Int32Array.of(5));
    expect(methods(spark)).toEqual([
      "ExecutePlan",
      "ReattachExecute",
      "ExecutePlan",
      "ReattachExecute",
    ]);
  });

  it("starts an operation that the server never began as another one", async () => {
    const { spark, open } = await session(
      fails(grpc.status.UNAVAILABLE, "moving"),
      fails(
        grpc.status.INTERNAL,
        "[SPARK_CONNECT_ILLEGAL_STATE.EXECUTION_STATE_OPERATION_ORPHANED] Orphaned.",
      ),
      responds(batch("1", [5]), complete("2")),
    );
    expect((await open.columns("select 1")).a).toEqual(Int32Array.of(5));
    expect(methods(spark)).toEqual(["ExecutePlan", "ReattachExecute", "ExecutePlan"]);
    const [first, again, other] = spark.asked.map(({ request }) => request.operation_id);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it("gives up on a server that does not answer, after a bounded time", async () => {
    const clock = virtualClock();
    const open = kept(
      openSparkSession(sparkAddress("sc://127.0.0.1:1"), { clock, random: () => 1 }),
    );
    await expect(open.run("select 1")).rejects.toThrow(
      /^Spark Connect at 127\.0\.0\.1:1 does not answer \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. Check the address/,
    );
    expect(clock.sleeps).toEqual([100, 200, 400, 800, 1600]);
  });

  it("stops what runs when it is interrupted", async () => {
    let ended = (): void => undefined;
    const { spark, open } = await session((call) => {
      call.write(batch("1", [1]));
      ended = () =>
        call.emit(
          "error",
          failure(grpc.status.INTERNAL, "[OPERATION_CANCELED] Operation has been canceled."),
        );
    });
    const read = open.columns("select 1");
    await until(() => spark.asked.length > 0);
    open.interrupt();
    await until(() => methods(spark).includes("Interrupt"));
    ended();
    await expect(read).rejects.toThrow("Interrupted");
    expect(methods(spark)).toEqual(["ExecutePlan", "Interrupt"]);
  });

  it.runIf(isWhole)("lets the server wait while rows are not taken", async () => {
    const large = batch(
      "1",
      Array.from({ length: 20_000 }, (_, i) => i),
    );
    let sent = 0;
    const { open } = await session(async (call) => {
      for (; sent < 150; sent++)
        if (!call.write(large)) await new Promise((done) => call.once("drain", done));
      call.write(complete("end"));
      call.end();
    });
    let taken = 0;
    let most = 0;
    for await (const bytes of open.batches("select 1")) {
      taken += Math.sign(bytes.length);
      if (taken % 20 === 0) await new Promise((done) => setTimeout(done, 20));
      most = Math.max(most, sent - taken);
    }
    expect(taken).toBe(150);
    expect(most).toBeLessThan(75);
  });
});
