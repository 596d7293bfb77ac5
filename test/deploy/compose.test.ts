import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { jars, programs, storeSettings, version } from "../spark/releases.js";
import { read, root } from "../support/root.js";

interface Service {
  readonly image?: string;
  readonly build?: { dockerfile_inline: string };
  readonly command: string[];
  readonly environment: Record<string, string>;
}
const compose = parse(read("deploy/compose.yaml"), { merge: true }) as {
  readonly services: Record<string, Service>;
};

describe("compose", () => {
  const { master, worker, connect, store, recount } = compose.services;
  const text = read("deploy/compose.yaml");
  const hasDocker = spawnSync("docker", ["compose", "version"]).status === 0;

  it.skipIf(!hasDocker)("accepts the file (skipped without docker compose)", () => {
    const args = [
      "compose",
      "--file",
      join(root, "deploy/compose.yaml"),
      "--profile",
      "command",
      "config",
      "--quiet",
    ];
    const { status, stderr } = spawnSync("docker", args, {
      encoding: "utf8",
      env: { ...process.env, STORE_SECRET: "x" },
    });
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("starts what npm run test:spark starts, in the same versions", () => {
    for (const [service, program] of [
      [master, programs.master],
      [worker, programs.worker],
    ] as const)
      expect(service?.command.slice(0, 2)).toEqual(["/opt/spark/bin/spark-class", program]);
    expect(connect?.command[0]).toBe("/opt/spark/bin/spark-submit");
    expect(connect?.command).toContain(`--class=${programs.connect}`);
    for (const [name, value] of Object.entries(storeSettings("http://store:9000")))
      expect(connect?.command).toContain(`--conf=spark.${name}=${value}`);
    for (const jar of jars)
      expect(master?.build?.dockerfile_inline).toContain(`"${jar.join(" ")}"`);
    expect(master?.build?.dockerfile_inline).toContain(`pyspark==${version} `);
    expect(new Set([master, worker, connect].map((service) => service?.image)).size).toBe(1);
    expect(read("docs/how-to/scale.md")).toContain(jars[0].join(":"));
  });

  it("names addresses and variables that there are", () => {
    const environment = recount?.environment ?? {};
    for (const name of Object.keys(environment).filter((one) => one !== "XDG_CACHE_HOME"))
      expect(`${read("docs/how-to/scale.md")}${read("docs/reference/cli.md")}`).toContain(name);
    expect(environment.SPARK_REMOTE).toBe("sc://connect:15002");
    expect(environment.AWS_ENDPOINT_URL_S3).toBe("http://store:9000");
    expect(store?.command.join(" ")).toContain(
      "/data/studies && exec minio server /data --address :9000",
    );
    expect(recount?.command).toContain("s3://studies/lake");
    for (const [, name] of text.matchAll(/\$\{(\w+)/g)) expect(name).toBe("STORE_SECRET");
    expect(recount?.build?.dockerfile_inline).toContain(
      `FROM recount:${(JSON.parse(read("package.json")) as { version: string }).version}\n`,
    );
  });
});
