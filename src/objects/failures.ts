import { codeOf, ExportError, messageOf, RecountError, UsageError } from "../platform/index.js";

/** What a person has to change, by the name of the store's error. */
const mistakes: Readonly<Record<string, string>> = {
  AccessDenied: "these credentials may not do this. docs/scale.md lists the rights that Recount needs",
  Forbidden: "these credentials may not do this. docs/scale.md lists the rights that Recount needs",
  CredentialsProviderError:
    "no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
  ExpiredToken: "the credentials have expired",
  ExpiredTokenException: "the credentials have expired",
  InvalidAccessKeyId: "the store does not know the access key",
  NotImplemented:
    "the store cannot write under a condition (If-None-Match, If-Match), so it cannot lock a lake. docs/scale.md names stores that can",
  NoSuchBucket: "there is no such bucket",
  PermanentRedirect: "the bucket is in another region. Set AWS_REGION",
  SignatureDoesNotMatch: "the secret key is wrong",
};

/** An error of the store in one line, which has neither the request nor its credentials. */
export function objectFailure(uri: string, error: unknown): Error {
  if (error instanceof RecountError) return error;
  const name = error instanceof Error ? error.name : "";
  const mistake = mistakes[name];
  if (mistake !== undefined) return new UsageError(`${uri}: ${mistake}.`, { cause: error });
  if (/region is missing/i.test(messageOf(error)))
    return new UsageError(`${uri}: no region is set. Set AWS_REGION.`, { cause: error });
  if (codeOf(error) === "ERR_MODULE_NOT_FOUND")
    return new UsageError(
      `${uri}: object storage needs the package @aws-sdk/client-s3. Run \`npm install @aws-sdk/client-s3\` beside Recount.`,
      { cause: error },
    );
  const [first = ""] = (messageOf(error) || codeOf(error) || name).split("\n");
  const why = first.replace(/\.$/, "") || name;
  return new ExportError(`${uri}: the object store failed: ${why}. Run the command again.`, { cause: error });
}

/** The status of the store's answer; undefined if there was none. */
export const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;
