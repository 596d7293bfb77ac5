import { cpus, totalmem } from "node:os";
import { test } from "vitest";
import { benchAudit } from "./audit.js";
import { benchExperiments } from "./experiments.js";
import { benchExport } from "./export.js";
import { benchMetrics } from "./metrics.js";
import { benchOutputs, benchReport } from "./outputs.js";
import { benchPeers } from "./peers.js";
import { benchProfile } from "./profile.js";
import { benchRatios } from "./ratios.js";
import { benchSpark } from "./spark.js";

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const [cpu] = cpus();
print(
  `\nNode ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model ?? "?"}, ` +
    `${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
);

test("ratios", () => benchRatios(print));
test("profile", () => benchProfile(print));
test("peers", () => benchPeers(print));
test("metrics", () => benchMetrics(print));
test("audit", () => benchAudit(print));
test("export", () => benchExport(print));
test("experiments", () => benchExperiments(print));
test("outputs", () => benchOutputs(print));
test("report", () => benchReport(print));
test("spark", () => benchSpark(print));
