import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ListMultipartUploadsCommand, S3Client } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { inBucket, objectsOf, objectStorageOfTests, type Seen } from "./object-storage.js";

const content = randomBytes(2 * 16 * 2 ** 20 + 1);
const sha256 = createHash("sha256").update(content).digest("hex");

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("an upload", () => {
  const tests = objectStorageOfTests();
  const file = join(tests.home, "large");
  const objects = objectsOf(inBucket("uploads"));

  beforeAll(() => {
    writeFileSync(file, content);
  });

  /** Number of a piece; 0 for another request. */
  const pieceOf = ({ method, query }: Seen) =>
    method === "PUT" ? Number(query.get("partNumber") ?? 0) : 0;
  const piecesOf = (key: string) =>
    tests.storage.seen.filter(({ path }) => path.endsWith(`/${key}`)).filter(pieceOf);
  const unfinished = async () => {
    const client = new S3Client({ forcePathStyle: true });
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: new URL(inBucket("")).hostname }),
    );
    client.destroy();
    return Uploads;
  };

  it("of a large file arrives in pieces, each with its checksum, and as it is", async () => {
    expect(await objects.upload(file, "whole")).toEqual({ sha256, bytes: content.length });
    const pieces = piecesOf("whole");
    expect(pieces.map(pieceOf)).toEqual([1, 2, 3]);
    for (const { headers, body } of pieces)
      expect(headers["x-amz-checksum-sha256"]).toBe(
        createHash("sha256").update(body).digest("base64"),
      );
    expect(await objects.head("whole")).toEqual({ sha256, bytes: content.length });
    expect((await buffer(await objects.stream("whole"))).equals(content)).toBe(true);
  });

  it("repeats the piece that failed, and no other", async () => {
    const fates = [[503, "SlowDown"], "reset", "lose"] as const;
    let failed = 0;
    tests.storage.decide((seen) => (pieceOf(seen) === 2 ? (fates[failed++] ?? "pass") : "pass"));
    await objects.upload(file, "repeated");
    expect(piecesOf("repeated").map(pieceOf)).toEqual([1, 2, 2, 2, 2, 3]);
    expect((await objects.head("repeated"))?.sha256).toBe(sha256);
  });

  it("that fails leaves neither an object nor pieces", async () => {
    tests.storage.decide((seen) => (pieceOf(seen) === 3 ? [403, "AccessDenied"] : "pass"));
    await expect(objects.upload(file, "failed")).rejects.toThrow(
      /these credentials may not do this/,
    );
    expect(await objects.head("failed")).toBeNull();
    expect(await unfinished()).toEqual([]);
  });
});
