import grpc from "@grpc/grpc-js";
import { expect, it, onTestFinished } from "vitest";
import { sparkAddress } from "../../../src/warehouse/spark-address.js";
import { openSparkSession } from "../../../src/spark/session.js";
import { complete, failure, fakeSpark, type Call } from "../../support/fake-spark.js";
import { pem } from "../../support/tls-server.js";
import { virtualClock } from "../../support/virtual-clock.js";

const answers = (call: Call) => {
  call.write(complete("1"));
  call.end();
};

async function opened(certificate: string, authorities?: string, handler = answers) {
  const identity = {
    private_key: Buffer.from(pem("service.key")),
    cert_chain: Buffer.from(pem(certificate)),
  };
  const spark = await fakeSpark(grpc.ServerCredentials.createSsl(null, [identity]));
  spark.handlers.push(handler);
  const address = sparkAddress(`sc://127.0.0.1:${spark.port}/;token=planted-token;x-cluster=7`);
  const open = openSparkSession(address, { clock: virtualClock(), random: () => 1, authorities });
  onTestFinished(async () => {
    await open.close();
    spark.close();
  });
  return { asked: spark.asked, run: open.run("select 1") };
}

it("sends the token and the headers over TLS", async () => {
  const { asked, run } = await opened("service", pem("authority"));
  await run;
  expect(asked[0]?.headers.getMap()).toMatchObject({
    authorization: "Bearer planted-token",
    "x-cluster": "7",
  });
});

it("sends nothing to a server that it does not trust", async () => {
  const { asked, run } = await opened("service");
  await expect(run).rejects.toThrow("does not answer");
  await expect(run).rejects.not.toThrow("planted-token");
  expect(asked).toEqual([]);
});

it("sends nothing to an address that is not in the certificate", async () => {
  const { asked, run } = await opened("other-name", pem("authority"));
  await expect(run).rejects.toThrow("127.0.0.1 is not in the cert's list");
  expect(asked).toEqual([]);
});

it("says to check a token that is refused", async () => {
  const { run } = await opened(
    "service",
    pem("authority"),
    (call) => void call.emit("error", failure(grpc.status.UNAUTHENTICATED, "Invalid token")),
  );
  await expect(run).rejects.toThrow(/refuses access \(Invalid token\)\. Check the token\.$/);
});
