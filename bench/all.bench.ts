import { cpus, totalmem } from "node:os";
import { test } from "vitest";
import { benchMetrics } from "./metrics.js";
import { benchService } from "./service.js";

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const [cpu] = cpus();
print(
  `\nNode ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model ?? "?"}, ` +
    `${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
);

test("metrics", () => benchMetrics(print));
test("service", () => benchService(print));
