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
import { isSmall } from "./whole-process.js";

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const [cpu] = cpus();
print(
  `\nNode ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model ?? "?"}, ` +
    `${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
);

// To see whether they run, they need not wait for each other.
const bench = isSmall ? test.concurrent : test;

bench("ratios", () => benchRatios(print));
bench("profile", () => benchProfile(print));
bench("peers", () => benchPeers(print));
bench("metrics", () => benchMetrics(print));
bench("audit", () => benchAudit(print));
bench("export", () => benchExport(print));
bench("experiments", () => benchExperiments(print));
bench("outputs", () => benchOutputs(print));
bench("report", () => benchReport(print));
bench("spark", () => benchSpark(print));
