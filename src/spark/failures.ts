/** What fails at a cluster, in one line, and what to do. */
import { exitCodes, RecountError, type Clock, type Random } from "../platform/index.js";

/** Spark could not be reached, or it rejected or lost an operation. The message is one line. */
export class SparkError extends RecountError {
  override readonly name = "SparkError";
  constructor(message: string, options?: ErrorOptions) {
    super(message, exitCodes.export, options);
  }
}

/** An error of gRPC. Source: https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
interface StatusError extends Error {
  readonly code: number;
  readonly details: string;
}

const status = {
  cancelled: 1,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
  denied: 7,
} as const;

const isStatus = (error: unknown): error is StatusError =>
  error instanceof Error && "details" in error && "code" in error && typeof error.code === "number";

const detailsOf = (error: unknown) => (isStatus(error) ? error.details : "");

/** A server that closes a connection cancels its calls: the operation may go on. */
export const isTemporary = (error: unknown): boolean =>
  isStatus(error) &&
  (error.code === status.unavailable ||
    error.code === status.cancelled ||
    (error.code === status.internal &&
      /RST_STREAM|INVALID_CURSOR\.DISCONNECTED/.test(error.details)));

/** The server does not know the operation: it never arrived. */
export const isUnknownOperation = (error: unknown): boolean =>
  /INVALID_HANDLE\.OPERATION_NOT_FOUND/.test(detailsOf(error));

/** The connection broke before the operation began. */
export const isOrphan = (error: unknown): boolean => /OPERATION_ORPHANED/.test(detailsOf(error));

const isLost = (error: unknown): boolean =>
  [
    /INVALID_HANDLE\.(SESSION_|OPERATION_NOT_FOUND|OPERATION_ABANDONED)/,
    /INVALID_CURSOR\.(NOT_FOUND|POSITION)/,
  ].some((mark) => mark.test(detailsOf(error)));

const obstacles: readonly (readonly [RegExp, string])[] = [
  [
    /fs\.s3a\.S3AFileSystem not found|No FileSystem for scheme "?s3a/,
    "it lacks hadoop-aws. Start Connect with --packages org.apache.hadoop:hadoop-aws:<its " +
      "version of Hadoop>",
  ],
  [
    /NoSuchBucket/,
    "its store has no such bucket. Set spark.hadoop.fs.s3a.endpoint to the store that " +
      "AWS_ENDPOINT_URL_S3 names here",
  ],
  [
    /NoAwsCredentials|NoAuthWithAWS|[Uu]nable to load credentials/,
    "it has no credentials. Give its machines a role, or set AWS_ACCESS_KEY_ID and " +
      "AWS_SECRET_ACCESS_KEY where Connect starts",
  ],
  [
    /Status Code: 40[13]/,
    "its own credentials may not read or write there. Give them the rights in docs/how-to/scale.md",
  ],
  [/PATH_NOT_FOUND/, "it has no such file. All its machines must see the lake where this one does"],
];

function obstacleIn(details: string): string | null {
  const [file] = /\b(?:s3a:\/\/[^\s:'`,]+|file:\/[^\n]+?(?=\.? SQLSTATE|\n|$))/.exec(details) ?? [];
  const [, why] = obstacles.find(([said]) => said.test(details)) ?? [];
  return why === undefined
    ? null
    : `Spark cannot open ${file?.replace("s3a:", "s3:") ?? "the lake"}: ${why}.`;
}

/** What happened, in one line, and what to do. */
export function sparkError(error: unknown, where: string): SparkError {
  const details = isStatus(error) ? error.details : String(error);
  const [first = ""] = details.split(/\n|\.? SQLSTATE/);
  const said = first
    .replace(/^No connection established\. Last error: (?:Error: )?|\.? Resolution note:.*$/g, "")
    .trim()
    .replace(/[.;]$/, "");
  const code = isStatus(error) ? error.code : undefined;
  const message = /\bfound function\b.*\bexpected 'EXTERNAL'/.test(details)
    ? `Spark Connect at ${where} has no \`create temporary function\`, which the models need: ` +
      "Sail 0.7 lacks it. Use Apache Spark 4."
    : /SSL routines|wrong version number/i.test(details)
      ? `Spark Connect at ${where} does not speak TLS. Put a proxy with TLS before it, or ` +
        "leave out token and use_ssl."
      : isTemporary(error)
        ? `Spark Connect at ${where} does not answer (${said}). Check the address, and that ` +
          "the server runs."
        : code === status.unauthenticated || code === status.denied
          ? `Spark Connect at ${where} refuses access (${said}). Check the token.`
          : isLost(error)
            ? `Spark Connect at ${where} was restarted and lost what was computed. Run the ` +
              "command again."
            : (obstacleIn(details) ?? `Spark: ${said}.`);
  return new SparkError(message, { cause: error });
}

/** Pauses between attempts that brought nothing; it throws the error after the last one. */
interface Patience {
  /** Something came: the count starts again. */
  renew(): void;
  /** Waits before the next attempt. @throws the error, if there have been enough. */
  wait(error: unknown): Promise<void>;
}

const baseMs = 100;
const capMs = 15_000;
/** A server that has answered before is waited for, for two minutes at most. */
const attempts = { first: 6, later: 16 } as const;

export function createPatience(hasAnswered: boolean, clock: Clock, random: Random): Patience {
  let failures = 0;
  let limit: number = hasAnswered ? attempts.later : attempts.first;
  return {
    renew() {
      failures = 0;
      limit = attempts.later;
    },
    async wait(error) {
      failures += 1;
      if (failures >= limit) throw error;
      const bound = Math.min(capMs, baseMs * 2 ** (failures - 1));
      await clock.sleep(bound / 2 + (random() * bound) / 2);
    },
  };
}
