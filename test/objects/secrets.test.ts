import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { secretForms } from "../../src/client/secrets.js";
import { recount } from "../support/command-line.js";
import { exportTo } from "../support/export-to-lake.js";
import { inBucket, isMoto, objectStorageOfTests } from "./object-storage.js";

const secret = "planted/AWS+secret=0123456789";
const token = "planted/session+token==9876543210";
const profile = `[planted]
aws_access_key_id = KEY
aws_secret_access_key = ${secret}
aws_session_token = ${token}
`;

// A store that checks signatures refuses planted credentials.
describe.runIf(process.env.RECOUNT_OBJECTS !== undefined && isMoto)(
  "secrets of object storage",
  () => {
    const tests = objectStorageOfTests();
    const lake = inBucket("secrets");
    const sources = {
      "the environment": {
        AWS_ACCESS_KEY_ID: "KEY",
        AWS_SECRET_ACCESS_KEY: secret,
        AWS_SESSION_TOKEN: token,
      },
      "a profile": {
        ...{ AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", AWS_PROFILE: "planted" },
        AWS_SHARED_CREDENTIALS_FILE: join(tests.home, "credentials"),
      },
    };

    beforeAll(async () => {
      writeFileSync(join(tests.home, "credentials"), profile);
      await exportTo(lake, tests.service, { tables: ["ratings", "results"] });
    });

    const leaks = (text: string) =>
      [secret, token]
        .flatMap(secretForms)
        .filter((form) => text.toLowerCase().includes(form.toLowerCase()));

    it.each(Object.entries(sources))(
      "are in no output and no file if they come from %s",
      async (_, env) => {
        const run = (...args: string[]) => recount([...args, "--lake", lake], env);
        const said = [
          await run(
            "query",
            "select value from duckdb_settings() where name like 's3%'",
            "--format",
            "csv",
          ),
          // A query that names no table of the lake opens none, and knows no secret.
          await run(
            "query",
            "select own.* from duckdb_secrets() as own, (from ratings limit 1)",
            "--format",
            "csv",
          ),
          await run("audit", "--json", join(tests.home, "audit.json")),
        ];
        expect(said.map(({ code }) => code)).toEqual([0, 0, 1]);
        tests.storage.decide(() => [403, "Planted", `no ${secret} and ${token}`]);
        const failed = await run("query", "from ratings");
        expect(failed.stderr).toMatch(/no \[redacted\] and \[redacted\]/);
        expect(leaks(JSON.stringify([...said, failed]))).toEqual([]);
        const files = readdirSync(tests.home, { recursive: true, encoding: "utf8" }).map((path) =>
          join(tests.home, path),
        );
        const others = files.filter(
          (path) => statSync(path).isFile() && !path.endsWith("credentials"),
        );
        for (const path of others) expect(leaks(readFileSync(path, "latin1"))).toEqual([]);
      },
    );

    it("are refused in the address of the store", async () => {
      const [scheme, host] = (process.env.AWS_ENDPOINT_URL_S3 ?? "").split("//");
      const AWS_ENDPOINT_URL_S3 = `${scheme ?? ""}//KEY:${encodeURIComponent(secret)}@${host ?? ""}`;
      const outcome = await recount(["query", "from ratings", "--lake", lake], {
        AWS_ENDPOINT_URL_S3,
      });
      expect(outcome.code).toBe(4);
      expect(outcome.stderr).toMatch(
        /^recount: AWS_ENDPOINT_URL_S3 contains credentials\. Set AWS_ACCESS_KEY_ID .*\n$/,
      );
      expect(leaks(JSON.stringify(outcome))).toEqual([]);
    });
  },
);
