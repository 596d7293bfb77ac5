// Loaded before a measured command: writes the time, CPU time and peak memory of its process to the file BENCH_USAGE.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.BENCH_USAGE,
    JSON.stringify({
      seconds: performance.now() / 1000,
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      peakMb: maxRSS / 1024,
    }),
  );
});
