import Table from "cli-table3";
import { measureDivided } from "./experiments.js";
import { type ExportWay, measureExport, measureStudy } from "./export.js";
import { measureNight } from "./exported-lake.js";
import { measureImport } from "./import.js";
import { large, measureWays, rounds, type WayName } from "./peers.js";
import { isSmall, medianOf, type Used } from "./whole-process.js";

const comparisons = isSmall ? 100 : Number(process.env.RECOUNT_BENCH_COMPARISONS ?? large);

/**
 * What Recount takes relative to the least possible and to what people do by hand, all in one run: absolute times of two
 * machines differ by more than two. A million comparisons, or RECOUNT_BENCH_COMPARISONS.
 */
export async function benchRatios(print: (text: string) => void): Promise<void> {
  const times = await measureWays(comparisons);
  const least: WayName = "the least: columns, one grouping, one loop";
  const peer: WayName = "DuckDB and evalica: Elo, Bradley-Terry, counts";
  const kinds: WayName = "recount query: elo, bayesian_elo, win_loss";
  const exportOf = async (way: ExportWay): Promise<Used | null> => {
    const runs: Used[] = [];
    for (let round = 0; round < rounds; round++)
      runs.push(await measureExport(way, 2 * comparisons, 1));
    return medianOf(runs);
  };
  const baseline = await exportOf("ceiling");
  const study = await measureStudy(2 * comparisons, rounds);
  const imported = await measureImport(comparisons, rounds);
  const lines: [string, Used | null, Used | null][] = [
    ["three kinds by query / the least possible", times[kinds], times[least]],
    ["three kinds by query / DuckDB and evalica", times[kinds], times[peer]],
    [
      "three kinds after transform / DuckDB and evalica",
      times["the three kinds after transform"],
      times[peer],
    ],
    ["transform of every model / DuckDB and evalica", times["recount transform"], times[peer]],
    ["audit, all exact / DuckDB and evalica", times["recount audit, all exact"], times[peer]],
    ["audit after transform / DuckDB and evalica", times["the audit after transform"], times[peer]],
    [
      "transform --statistics / without",
      times["recount transform --statistics"],
      times["recount transform"],
    ],
    ["export without bodies / spool and read_json", await exportOf("export"), baseline],
    ["export with bodies / spool and read_json", await exportOf("raw"), baseline],
    ["export of a full study / plain conversion", study.study, study["study-ceiling"]],
    ["the same with bodies / plain conversion", study["study-raw"], study["study-ceiling"]],
    [
      "a whole night: export of a full study, transform, audit",
      await measureNight(2 * comparisons, rounds),
      null,
    ],
    ["import of as many scores as CSV / read_csv and COPY", imported.own, imported.bare],
    ...(await measureDivided()).map(({ step, one, many }): (typeof lines)[number] => [
      `many small experiments / one: ${step}`,
      many,
      one,
    ]),
  ];
  const table = new Table({
    head: [
      `${comparisons.toLocaleString("en")} comparisons`,
      "CPU s",
      "of CPU s",
      "ratio",
      "peak MB",
    ],
    colAligns: ["left", "right", "right", "right", "right"],
    style: { head: [] },
  });
  for (const [what, own, other] of lines) {
    const ratio = own && other ? (own.cpuSeconds / other.cpuSeconds).toFixed(2) : "–";
    table.push([
      what,
      ...[own, other].map((one) => one?.cpuSeconds.toFixed(2) ?? "–"),
      ratio,
      own?.peakMb.toFixed(0) ?? "–",
    ]);
  }
  print(table.toString());
}
