import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hook, noticesOf, wrongKey } from "../support/notice-receiver.js";
import { testProject } from "../support/project.js";

const project = await testProject();
const { path, service } = project;
const { receiver, run } = noticesOf(project);

it("are repeated while the receiver fails, and have a form for Slack", async () => {
  const slack = await receiver([503]);
  const { code, stderr } = await run(`on_failure: ${hook(slack, ", form: slack")}`, {
    key: wrongKey,
  });
  expect({ code, keys: new Set(slack.keys).size, count: slack.received.length }).toEqual({
    code: 4,
    keys: 1,
    count: 2,
  });
  expect(slack.received[1]).toEqual({
    text: expect.stringMatching(
      new RegExp(`^Recount: ${service.projectId} failed \\(exit code 4\\): .*401`),
    ) as string,
  });
  expect(stderr).not.toContain("notice");
});

it("refused for good are not repeated", async () => {
  const server = await receiver([404, 404]);
  const { stderr } = await run(`on_failure: ${hook(server)}`, { key: wrongKey });
  expect(stderr).toMatch(/answered 404\.$/m);
  expect(server.received.length).toBe(1);
});

it("run a command without a shell, with the record on its input and no credentials in its environment", async () => {
  const script = path("notify.sh");
  writeFileSync(script, '#!/bin/sh\ncat > "$1"\nenv > env.txt\n');
  chmodSync(script, 0o755);
  const yaml = `on_failure: { command: [./notify.sh, "a b; touch planted.json"] }`;
  const withheld = {
    RECOUNT_API_KEY: wrongKey,
    RECOUNT_PSEUDONYM_KEY: "planted-pseudonyms",
    RECOUNT_ADMIN_KEY: "planted-admin",
    AWS_SECRET_ACCESS_KEY: "planted-secret-of-the-store",
    AWS_SESSION_TOKEN: "planted-token-of-the-store",
    SPARK_REMOTE: "sc://localhost/;token=planted-token-of-spark",
  };
  const { code } = await run(yaml, { more: withheld });
  expect(code).toBe(4);
  expect(JSON.parse(readFileSync(path("a b; touch planted.json"), "utf8"))).toMatchObject({
    exit_code: 4,
  });
  expect(existsSync(path("planted.json"))).toBe(false);
  const env = readFileSync(path("env.txt"), "utf8");
  expect(env).toContain("PATH=");
  for (const [name, value] of Object.entries(withheld)) {
    expect(env).not.toContain(name);
    expect(env).not.toContain(value);
  }
});

it("do not wait for what a command leaves running", async () => {
  const script = path("daemon.sh");
  writeFileSync(script, `#!/bin/sh\nsetsid sleep 60 &\necho $! > ${path("daemon.pid")}\n`);
  chmodSync(script, 0o755);
  const { stderr } = await run("on_failure: { command: [./daemon.sh], attempts: 1 }", {
    key: wrongKey,
  });
  expect(stderr).not.toContain("notice");
  const pid = Number(readFileSync(path("daemon.pid"), "utf8"));
  expect(() => process.kill(pid, 0)).not.toThrow();
  process.kill(pid);
});

it.each([
  ["on_failure: { urll: x }", "unknown key on_failure.urll"],
  ["on_failure: { url: ftp://x }", "on_failure.url is not an http or https address."],
  [
    'on_failure: { url: "http://a:%@x/" }',
    "on_failure.url: a % in its user or password does not begin an escape. Write %25 for the character itself.",
  ],
  [
    "on_failure: https://hooks/planted",
    "on_failure must be a map, for example { command: [text] }.",
  ],
  ["on_failure: { form: slack }", "on_failure needs either a command or a url."],
  ["on_failure: { command: [] }", "on_failure.command must be a list of at least 1 entry"],
  ["on_failure: { url: http://x, form: teams }", "on_failure.form must be one of record, slack"],
])("of a form that is not known are a mistake: %s", async (yaml, message) => {
  const { code, stderr } = await run(yaml);
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(message) as string });
  expect(stderr).not.toContain("planted");
});
