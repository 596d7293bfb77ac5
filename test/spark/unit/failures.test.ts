import grpc from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { sparkError } from "../../../src/spark/failures.js";
import { failure } from "../../support/fake-spark.js";

const service = "software.amazon.awssdk.services.s3.model";

it.each([
  [
    "Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times (TID 7):\n" +
      "java.lang.RuntimeException: java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.s3a.S3AFileSystem not found",
    /--packages org\.\S+:/,
  ],
  [
    `s3a://studies/x.parquet: getFileStatus on s3a://studies/x.parquet: ${service}.S3Exception: FORBIDDEN (Service: S3, Status Code: 403, Request ID: z8):null`,
    /^Spark cannot open s3:\/\/studies\/x\.parquet: .*docs\/how-to\/scale\.md\.$/,
  ],
  [
    `\`s3a://studies/x': getFileStatus on s3a://studies/x: ${service}.NoSuchBucketException: The specified bucket does not exist (Service: S3, Status Code: 404)`,
    /^Spark cannot open s3:\/\/studies\/x: .*spark\.hadoop\.fs\.s3a\.endpoint/,
  ],
  [
    "s3a://studies/x: org.apache.hadoop.fs.s3a.auth.NoAwsCredentialsException: SimpleAWSCredentialsProvider: No AWS credentials in the Hadoop configuration",
    /^Spark cannot open s3:\/\/studies\/x: .*AWS_ACCESS_KEY_ID/,
  ],
  [
    "[PATH_NOT_FOUND] Path does not exist: file:/shared/my lake/x.parquet. SQLSTATE: 42K03",
    /^Spark cannot open file:\/shared\/my lake\/x\.parquet: .*All its machines must see the lake/,
  ],
])("says in one line why the cluster cannot open a lake: %s", (said, line) => {
  const { message, exitCode } = sparkError(failure(grpc.status.INTERNAL, said), "main:15002");
  expect(message).toMatch(line);
  expect(message.split("\n")).toHaveLength(1);
  expect(exitCode).toBe(3);
});

it("says that a server does not speak TLS, not which routine noticed it", () => {
  const said =
    "No connection established. Last error: Error: C0:error:0A00010B:SSL routines::wrong version number:";
  expect(sparkError(failure(grpc.status.UNAVAILABLE, said), "main:15002").message).toBe(
    "Spark Connect at main:15002 does not speak TLS. Put a proxy with TLS before it, or leave out token and use_ssl.",
  );
});
