import { readFileSync } from "node:fs";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  clientFixture,
  httpServer,
  type ClientFixture,
  type RawServer,
} from "../support/raw-server.js";

const body = Buffer.from(`[${Array.from({ length: 20 }, (_, i) => `{"a":${i}}`).join(",")}]`);

describe("a body", () => {
  let server: RawServer;
  let at: ClientFixture;

  const receive = async (encoding: string | string[], sent: Buffer) => {
    server = await httpServer((response) =>
      response.setHeader("content-encoding", encoding).end(sent),
    );
    at = clientFixture(server, { retry: { attempts: 2 } });
    return at.client.download("listDatasets", { project_id: "P1" }, at.file);
  };

  it.each([
    ["identity", body],
    ["", body],
    ["GZIP", gzipSync(body)],
    ["x-gzip", gzipSync(body)],
    ["gzip, identity", gzipSync(body)],
    [" gzip ,", gzipSync(body)],
    ["deflate", deflateSync(body)],
    ["br", brotliCompressSync(body)],
    ["deflate, gzip", gzipSync(deflateSync(body))],
    [["br", "gzip"], gzipSync(brotliCompressSync(body))],
  ])("of encoding %j is decoded", async (encoding, sent) => {
    expect(await receive(encoding, sent)).toMatchObject({
      attempts: 1,
      body: { bytes: body.length },
    });
    expect(readFileSync(at.file)).toEqual(body);
  });

  it.each(["zstd", "compress", "gzip, zstd", "aes128gcm", "gzip, gzip, gzip, gzip"])(
    "of encoding %s is refused in one line",
    async (encoding) => {
      await expect(receive(encoding, body)).rejects.toMatchObject({
        exitCode: 3,
        message: `listDatasets: the body's encoding "${encoding}" was not requested and cannot be decoded.`,
      });
      expect(server.requests).toBe(1);
    },
  );

  it.each([
    [
      "compressed without a header",
      gzipSync(body),
      "is compressed (gzip), but its headers do not say so",
    ],
    ["UTF-16", Buffer.from(body.toString(), "utf16le"), "is text in UTF-16; JSON is UTF-8"],
    [
      "UTF-16 with its mark",
      Buffer.from("\ufeff[]", "utf16le"),
      "is text in UTF-16; JSON is UTF-8",
    ],
  ])("that is %s is named as what it is", async (_, sent, says) => {
    await expect(receive("identity", sent)).rejects.toThrow(says);
  });

  it.each([
    ["gzip", gzipSync(body), "\0\0\0"],
    ["deflate", deflateSync(body), ",{}]"],
    ["br", brotliCompressSync(body), "]"],
    ["gzip, deflate", deflateSync(gzipSync(body)), "x"],
    ["deflate, gzip", gzipSync(Buffer.concat([deflateSync(body), Buffer.from("x")])), ""],
  ])("of encoding %s with bytes after its end is repeated", async (encoding, sent, more) => {
    await expect(receive(encoding, Buffer.concat([sent, Buffer.from(more)]))).rejects.toThrow(
      /^listDatasets: the compressed body is corrupted: \d bytes? came after its end\. Gave up after 2 attempts\.$/,
    );
  });

  it("of gzip in several members is decoded", async () => {
    const half = body.length >> 1;
    const sent = Buffer.concat([gzipSync(body.subarray(0, half)), gzipSync(body.subarray(half))]);
    expect(await receive("gzip", sent)).toMatchObject({
      attempts: 1,
      body: { bytes: body.length },
    });
  });
});
