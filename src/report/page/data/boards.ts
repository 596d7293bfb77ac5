import { attentionOf, type AuditReport, type AuditRow } from "../../../audit/index.js";
import { isKind, kinds, mainField, metricKind, type Conventions, type Kind } from "../../../metrics/index.js";
import { byPlace } from "../../../platform/index.js";
import { textOf, type Row, type Warehouse } from "../../../warehouse/index.js";
import { limits } from "../limits.js";
import { intervalOf } from "./intervals.js";
import type { Board, BoardRow } from "./report-data.js";
import { among, capped, grouped, groupsOf, numberOf } from "./rows.js";

type Lookup = (experiment: string, dimension: string, item: string) => Row | undefined;

async function lookup(warehouse: Warehouse, ids: readonly string[], sql: string): Promise<Lookup> {
  const rows = await warehouse.all(`select * from (${sql}) where ${among(ids)}`);
  const found = grouped(rows, (row) =>
    keyOf(textOf(row, "experiment_id"), textOf(row, "dimension"), textOf(row, "item")),
  );
  return (...key) => found(keyOf(...key))[0];
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** The boards of each experiment among `ids`: published numbers of the whole experiment with what is known beside them. */
export async function boardsOf(
  warehouse: Warehouse,
  { rows }: AuditReport,
  conventions: Conventions,
  ids: readonly string[],
): Promise<(experiment: string) => readonly Board[]> {
  const whole = rows.filter((row) => row.source === "" && isKind(row.kind) && ids.includes(row.experiment_id));
  const published = kinds.filter((kind) => whole.some((row) => row.kind === kind));
  const intervals = new Map<Kind, { says: string; find: Lookup }>();
  for (const kind of published) {
    const source = intervalOf(kind, conventions);
    if (source) intervals.set(kind, { says: source.says, find: await lookup(warehouse, ids, source.sql) });
  }
  const ranks = await lookup(warehouse, ids, "select * from metric_bradley_terry where source = ''");
  const orders = await lookup(warehouse, ids, "select * from metric_elo_order where source = ''");

  function boardOf(all: readonly AuditRow[], kind: Kind, isMain: boolean): Board {
    const field = mainField(kind);
    const [[place, own] = ["", []], ...copies] = [...groupsOf(all, (row) => row.published_in)].sort(([a], [b]) =>
      byPlace(a, b),
    );
    const interval = intervals.get(kind);
    const counts = new Map(own.filter((row) => row.field === "n").map((row) => [row.item, row.recomputed]));
    const sorted = own
      .filter((row) => row.field === field)
      .toSorted((a, b) => (b.recomputed ?? b.published ?? -Infinity) - (a.recomputed ?? a.published ?? -Infinity));
    const { shown, more } = capped(sorted, limits.items);
    const others = own.filter((row) => row.field !== field);
    const numbers = new Map(sorted.map((row) => [row.item, row.published]));
    const repeats = copies.filter(([, rows]) =>
      rows.every((row) => row.field !== field || row.published === null || row.published === numbers.get(row.item)),
    );
    return {
      ...{ kind, field, isMain, more },
      places: [place, ...repeats.map(([name]) => name)],
      dimension: all[0]?.dimension ?? "",
      rows: shown.map((row) => boardRow(row, counts.get(row.item) ?? null, interval?.find, isMain)),
      interval: interval?.says ?? null,
      others: { numbers: others.length, differing: others.filter((row) => attentionOf(row.verdict) > 0) },
    };
  }

  function boardRow(row: AuditRow, n: number | null, interval: Lookup | undefined, isMain: boolean): BoardRow {
    const key = [row.experiment_id, row.dimension, row.item] as const;
    const ends = interval?.(...key);
    const isPairwise = isKind(row.kind) && metricKind(row.kind).family === "pairwise";
    const [rank, order] = isMain && isPairwise ? [ranks(...key), orders(...key)] : [];
    const [best, worst] = [numberOf(rank, "rank_best"), numberOf(rank, "rank_worst")];
    const [low, high] = [numberOf(order, "min_elo"), numberOf(order, "max_elo")];
    return {
      ...{ row, n },
      low: numberOf(ends, "low"),
      high: numberOf(ends, "high"),
      ranks: best === null || worst === null ? null : { best, worst },
      orders: low === null || high === null ? null : { low, high },
    };
  }

  const ofExperiment = grouped(whole, (row) => row.experiment_id);
  return (id) => {
    const own = ofExperiment(id);
    const dimensions = [...new Set(own.map((row) => row.dimension))];
    return dimensions.flatMap((dimension) => {
      const here = published.filter((kind) => own.some((row) => row.kind === kind && row.dimension === dimension));
      const main = here.toSorted((a, b) => (metricKind(a).ranks ?? Infinity) - (metricKind(b).ranks ?? Infinity));
      return main.map((kind, i) =>
        boardOf(
          own.filter((row) => row.kind === kind && row.dimension === dimension),
          kind,
          i === 0,
        ),
      );
    });
  };
}
