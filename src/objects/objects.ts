/** A lake in object storage. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import {
  byText,
  digestOf,
  fsp,
  systemClock,
  systemRandom,
  type ObjectAddress,
} from "../platform/index.js";
import {
  connection,
  maxAttempts,
  type ObjectConnection,
  objectFailure,
  statusOf,
} from "./connection.js";

interface ObjectHead {
  readonly bytes: number;
  /** As the upload stated and checked it; undefined if something else wrote the object. */
  readonly sha256: string | undefined;
}

interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

interface TaggedText {
  readonly text: string;
  readonly tag: string;
}

type Found = Pick<GetObjectCommandOutput, "Body" | "ContentLength" | "ETag" | "$metadata">;

interface ObjectName {
  readonly Bucket: string;
  readonly Key: string;
}

export interface Objects {
  uri(key: string): string;
  text(key: string): Promise<TaggedText | null>;
  stream(key: string): Promise<Readable>;
  head(key: string): Promise<ObjectHead | null>;
  list(folder: string): Promise<ListedObject[]>;
  /** What is directly below a folder, sorted by name; `bytes` of a folder is null. */
  names(folder: string): Promise<{ readonly name: string; readonly bytes: number | null }[]>;
  /**
   * @param condition the tag that the object must have; `null`: there must be none
   * @returns the new tag; null if the condition does not hold
   */
  put(key: string, text: string, condition?: string | null): Promise<string | null>;
  /** Uploads a file of this machine with checksums. @returns its SHA-256 and size. */
  upload(file: string, key: string): Promise<{ readonly sha256: string; readonly bytes: number }>;
  remove(keys: readonly string[]): Promise<void>;
  removeAll(key: string): Promise<void>;
}

const removedAtOnce = 1000;

/** What waits for a connection would be taken for a store that does not answer. */
const requestsAtOnce = pLimit(32);

/** Other tools write an empty object to show that there is a folder. */
const marksFolder = ({ key }: ListedObject) => key === "" || key.endsWith("/");

export function createObjects({ bucket, prefix }: ObjectAddress): Objects {
  const base = prefix === "" ? "" : `${prefix}/`;
  const uri = (key: string) => `s3://${bucket}/${base}${key}`.replace(/\/$/, "");
  const nameOf = (key: string): ObjectName => ({ Bucket: bucket, Key: base + key });
  async function ask<T>(
    key: string,
    request: (connected: ObjectConnection) => Promise<T>,
  ): Promise<T> {
    try {
      return await requestsAtOnce(async () => request(await connection()));
    } catch (error) {
      throw objectFailure(uri(key), error);
    }
  }
  /** Where an answer is cut, the rest of the same version is asked for. */
  async function* bytesOf(key: string, first: Found): AsyncGenerator<Buffer> {
    let found = first;
    let read = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const piece of found.Body as AsyncIterable<Buffer>) {
          read += piece.length;
          attempt = 1;
          yield piece;
        }
        return;
      } catch (error) {
        const isWhole = read >= (first.ContentLength ?? Infinity);
        if (isWhole || attempt >= maxAttempts) throw objectFailure(uri(key), error);
        await systemClock.sleep(systemRandom() * 100 * 2 ** attempt);
        const range = { Range: `bytes=${read}-`, IfMatch: first.ETag };
        found = await ask(key, ({ sdk, client }) =>
          client.send(new sdk.GetObjectCommand({ ...nameOf(key), ...range })),
        );
        if (found.$metadata.httpStatusCode !== 206) throw objectFailure(uri(key), error);
      }
    }
  }
  async function listed(folder: string, isFlat: boolean) {
    const below = folder === "" ? base : `${base}${folder}/`;
    const { objects, folders } = await ask(folder, (connected) =>
      listPages(connected, bucket, below, isFlat),
    );
    return {
      objects: objects.map(({ key, bytes }) => ({ key: key.slice(base.length), bytes })),
      folders: folders.map((name) => name.slice(base.length, -1)),
    };
  }
  async function remove(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += removedAtOnce) {
      const some = keys.slice(from, from + removedAtOnce);
      await ask(some[0] ?? "", (connected) => removeSome(connected, some.map(nameOf)));
    }
  }
  async function read(key: string): Promise<TaggedText | null> {
    const found = await ask(key, ({ sdk, client }) =>
      unlessNoObject(client.send(new sdk.GetObjectCommand(nameOf(key)))),
    );
    return found && { text: await text(bytesOf(key, found)), tag: found.ETag ?? "" };
  }
  return {
    uri,
    text: read,
    async stream(key) {
      const found = await ask(key, ({ sdk, client }) =>
        client.send(new sdk.GetObjectCommand(nameOf(key))),
      );
      return Readable.from(bytesOf(key, found), { objectMode: false });
    },
    head: (key) =>
      ask(key, async ({ sdk, client }) => {
        const found = await unlessNoObject(client.send(new sdk.HeadObjectCommand(nameOf(key))));
        return found && { bytes: found.ContentLength ?? 0, sha256: found.Metadata?.sha256 };
      }),
    list: async (folder) =>
      (await listed(folder, false)).objects.filter((one) => !marksFolder(one)),
    names: async (folder) => listedNames(await listed(folder, true), folder),
    async put(key, text, condition) {
      const tag = await ask(key, (connected) => putText(connected, nameOf(key), text, condition));
      // A write whose answer was lost is repeated, and then refused because of itself.
      const found = tag === null ? await read(key) : null;
      return found?.text === text ? found.tag : tag;
    },
    upload: (file, key) => ask(key, (connected) => uploadFile(connected, file, nameOf(key))),
    remove,
    removeAll: async (key) =>
      remove([key, ...(await listed(key, false)).objects.map((one) => one.key)]),
  };
}

/** Keys with two slashes in a row are below a folder without a name: not these. */
function listedNames(
  { objects, folders }: { objects: readonly ListedObject[]; folders: readonly string[] },
  folder: string,
) {
  const start = folder === "" ? 0 : folder.length + 1;
  const found = [
    ...objects.filter((one) => !marksFolder(one)),
    ...folders.map((key) => ({ key, bytes: null })),
  ];
  return found
    .map(({ key, bytes }) => ({ name: key.slice(start), bytes }))
    .filter(({ name }) => name !== "")
    .toSorted((a, b) => byText(a.name, b.name));
}

const isNoBucket = (error: unknown) => (error as Error).name === "NoSuchBucket";

async function unlessNoObject<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (statusOf(error) === 404 && !isNoBucket(error)) return null;
    throw error as Error;
  });
}

async function putText(
  { sdk, client }: ObjectConnection,
  name: ObjectName,
  text: string,
  condition: string | null | undefined,
): Promise<string | null> {
  const Body = Buffer.from(text);
  const only =
    condition === null
      ? { IfNoneMatch: "*" }
      : condition === undefined
        ? {}
        : { IfMatch: condition };
  try {
    const request = new sdk.PutObjectCommand({
      ...name,
      Body,
      ChecksumSHA256: base64(Body),
      ...only,
    });
    return (await client.send(request)).ETag ?? "";
  } catch (error) {
    const isRefused = [404, 409, 412].includes(statusOf(error) ?? 0) && !isNoBucket(error);
    if (condition === undefined || !isRefused) throw error;
    return null;
  }
}

async function listPages(
  { sdk, client }: ObjectConnection,
  bucket: string,
  below: string,
  isFlat: boolean,
) {
  const objects: ListedObject[] = [];
  const folders: string[] = [];
  let next: string | undefined;
  do {
    const page = await client.send(
      new sdk.ListObjectsV2Command({
        Bucket: bucket,
        Prefix: below,
        ...(isFlat ? { Delimiter: "/" } : {}),
        ...(next === undefined ? {} : { ContinuationToken: next }),
      }),
    );
    for (const { Key = "", Size = 0 } of page.Contents ?? [])
      objects.push({ key: Key, bytes: Size });
    for (const { Prefix = "" } of page.CommonPrefixes ?? []) folders.push(Prefix);
    next = page.NextContinuationToken;
  } while (next !== undefined);
  return { objects, folders };
}

async function removeSome(
  { sdk, client }: ObjectConnection,
  names: readonly ObjectName[],
): Promise<void> {
  const Objects = names.map(({ Key }) => ({ Key }));
  const request = new sdk.DeleteObjectsCommand({
    Bucket: names[0]?.Bucket,
    Delete: { Objects, Quiet: true },
  });
  const [first] = (await client.send(request)).Errors ?? [];
  if (first !== undefined)
    throw Object.assign(new Error(first.Message ?? "an object was not removed"), {
      name: first.Code ?? "",
    });
}

/** Bytes; a store takes at most 10,000 pieces of one object. */
const uploadPieceBytes = 16 * 2 ** 20;
const mostPieces = 10_000;

const base64 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64");

/** The store checks the SHA-256 of each request; the metadata has that of the whole. */
async function uploadFile(
  { sdk, client }: ObjectConnection,
  file: string,
  target: ObjectName,
): Promise<{ sha256: string; bytes: number }> {
  const { size } = await fsp.stat(file);
  if (size <= uploadPieceBytes) {
    const Body = await fsp.readFile(file);
    const sha256 = createHash("sha256").update(Body).digest("hex");
    const request = { ...target, Body, ChecksumSHA256: base64(Body), Metadata: { sha256 } };
    await client.send(new sdk.PutObjectCommand(request));
    return { sha256, bytes: Body.length };
  }
  const { sha256 } = await digestOf(file);
  const { UploadId } = await client.send(
    new sdk.CreateMultipartUploadCommand({
      ...target,
      ChecksumAlgorithm: "SHA256",
      Metadata: { sha256 },
    }),
  );
  const upload = { ...target, UploadId };
  try {
    const Parts: { ETag: string | undefined; PartNumber: number; ChecksumSHA256: string }[] = [];
    const whole = createHash("sha256");
    const buffer = Buffer.alloc(Math.max(uploadPieceBytes, Math.ceil(size / mostPieces)));
    const handle = await fsp.open(file);
    try {
      for (let sent = 0; sent < size;) {
        const { bytesRead } = await handle.read(
          buffer,
          0,
          Math.min(buffer.length, size - sent),
          sent,
        );
        if (bytesRead === 0) break;
        const Body = buffer.subarray(0, bytesRead);
        whole.update(Body);
        const PartNumber = Parts.length + 1;
        const ChecksumSHA256 = base64(Body);
        const { ETag } = await client.send(
          new sdk.UploadPartCommand({ ...upload, PartNumber, Body, ChecksumSHA256 }),
        );
        Parts.push({ ETag, PartNumber, ChecksumSHA256 });
        sent += bytesRead;
      }
    } finally {
      await handle.close();
    }
    if (whole.digest("hex") !== sha256) throw new Error(`${file} changed while it was sent`);
    await client
      .send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
      .catch(async (error: unknown) => {
        // A request whose answer was lost is repeated, and then refused because of itself.
        const found = await client.send(new sdk.HeadObjectCommand(target)).catch(() => null);
        if (found?.Metadata?.sha256 !== sha256) throw error;
      });
    return { sha256, bytes: size };
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}
