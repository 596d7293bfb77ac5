import grpc from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { sparkAddress } from "../../../src/warehouse/spark-address.js";
import { openSparkSession } from "../../../src/spark/session.js";
import { complete, failure, fakeSpark } from "../../support/fake-spark.js";
import { pem } from "../../support/tls-server.js";
import { virtualClock } from "../../support/virtual-clock.js";

const identity = {
  private_key: Buffer.from(pem("service.key")),
  cert_chain: Buffer.from(pem("service")),
};
const effects = (authorities?: string) => ({ clock: virtualClock(), random: () => 1, authorities });

it("sends the token and the headers over TLS", async () => {
  const spark = await fakeSpark(grpc.ServerCredentials.createSsl(null, [identity]));
  spark.handlers.push((call) => {
    call.write(complete("1"));
    call.end();
  });
  const address = sparkAddress(`sc://127.0.0.1:${spark.port}/;token=planted-token;x-cluster=7`);
  const open = openSparkSession(address, effects(pem("authority")));
  await open.run("select 1");
  const [asked] = spark.asked;
  expect(asked?.headers.getMap()).toMatchObject({
    authorization: "Bearer planted-token",
    "x-cluster": "7",
  });
  await open.close();
  spark.close();
});

it("sends nothing to a server that it does not trust", async () => {
  const spark = await fakeSpark(grpc.ServerCredentials.createSsl(null, [identity]));
  const open = openSparkSession(
    sparkAddress(`sc://127.0.0.1:${spark.port}/;token=planted-token`),
    effects(),
  );
  const run = open.run("select 1");
  await expect(run).rejects.toThrow("does not answer");
  await expect(run).rejects.not.toThrow("planted-token");
  expect(spark.asked).toEqual([]);
  await open.close();
  spark.close();
});

it("sends nothing to an address that is not in the certificate", async () => {
  const other = { ...identity, cert_chain: Buffer.from(pem("other-name")) };
  const spark = await fakeSpark(grpc.ServerCredentials.createSsl(null, [other]));
  spark.handlers.push((call) => {
    call.write(complete("1"));
    call.end();
  });
  const open = openSparkSession(
    sparkAddress(`sc://127.0.0.1:${spark.port}/;token=planted-token`),
    effects(pem("authority")),
  );
  await expect(open.run("select 1")).rejects.toThrow("127.0.0.1 is not in the cert's list");
  expect(spark.asked).toEqual([]);
  await open.close();
  spark.close();
});

it("says to check a token that is refused", async () => {
  const spark = await fakeSpark();
  spark.handlers.push(
    (call) => void call.emit("error", failure(grpc.status.UNAUTHENTICATED, "Invalid token")),
  );
  const open = openSparkSession(sparkAddress(`sc://127.0.0.1:${spark.port}`), effects());
  await expect(open.run("select 1")).rejects.toThrow(
    /refuses access \(Invalid token\)\. Check the token\.$/,
  );
  await open.close();
  spark.close();
});
