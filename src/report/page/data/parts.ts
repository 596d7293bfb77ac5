import { attentionOf, type AuditReport, type AuditRow } from "../../../audit/index.js";
import { kinds, mainField, metricKind } from "../../../metrics/index.js";
import { limits } from "../limits.js";
import type { Board, PartTable } from "./report-data.js";
import { capped, grouped, groupsOf } from "./rows.js";

/** The kinds by which items can be ranked, preferred first. */
const ranking = kinds.toSorted((a, b) => (metricKind(a).ranks ?? Infinity) - (metricKind(b).ranks ?? Infinity));

type Table = Pick<PartTable, "dimension" | "kind">;

const boardOf = ({ dimension, kind }: Table, boards: readonly Board[]): Board | undefined =>
  boards.find((board) => board.dimension === dimension && board.kind === kind);

/** A published ranking: the numbers of one dimension, source and place. */
interface Ranking extends Table {
  readonly source: string;
  readonly places: readonly string[];
  readonly all: readonly AuditRow[];
  /** Of the main field. */
  readonly own: readonly AuditRow[];
}

/**
 * The published rankings that `boards` do not show: of jobs, and of lists with other numbers for the whole experiment. Each
 * is shown by the preferred one of its kinds.
 */
export function partTablesOf({ rows }: AuditReport): (experiment: string, boards: readonly Board[]) => PartTable[] {
  const ofExperiment = grouped(rows, (row) => row.experiment_id);
  return (id, boards) => {
    const rankings = new Map<string, Ranking>();
    for (const all of groupsOf(ofExperiment(id), keyOf).values()) {
      const [{ dimension, source, published_in }] = all;
      const kind = ranking.find((each) => all.some((row) => row.kind === each && row.field === mainField(each)));
      if (kind === undefined) continue;
      if (source === "" && boardOf({ dimension, kind }, boards)?.places.includes(published_in)) continue;
      const own = all.filter((row) => row.kind === kind && row.field === mainField(kind));
      const key = JSON.stringify([dimension, kind, source, own.map(({ item, published }) => [item, published])]);
      const same = rankings.get(key);
      rankings.set(key, {
        ...{ dimension, kind, source, own },
        places: [...(same?.places ?? []), published_in],
        all: [...(same?.all ?? []), ...all],
      });
    }
    const tables = groupsOf([...rankings.values()], ({ dimension, kind }) => JSON.stringify([dimension, kind]));
    return [...tables.values()].map((own) => tableOf(own, boardOf(own[0], boards)));
  };
}

const keyOf = ({ dimension, source, published_in }: AuditRow): string =>
  JSON.stringify([dimension, source, published_in]);

const urgency = ({ all }: Ranking): number => Math.max(...all.map(({ verdict }) => attentionOf(verdict)));

/** The most urgent rankings first. Items in the order of the whole experiment, then in that of the first ranking that has them. */
function tableOf(all: readonly [Ranking, ...Ranking[]], board: Board | undefined): PartTable {
  const [{ dimension, kind }] = all;
  const whole = new Map((board?.rows ?? []).map(({ row }) => [row.item, row.published]));
  const isRepeat = ({ source, own }: Ranking): boolean =>
    source !== "" && own.length === whole.size && own.every((row) => row.published === whole.get(row.item));
  const columns = capped(
    all.filter((one) => !isRepeat(one)).toSorted((a, b) => urgency(b) - urgency(a)),
    limits.parts,
  );
  const best = columns.shown.flatMap(({ own }) =>
    own.toSorted((a, b) => (b.published ?? -Infinity) - (a.published ?? -Infinity)).map(({ item }) => item),
  );
  const has = new Set(best);
  const items = capped([...new Set([...[...whole.keys()].filter((item) => has.has(item)), ...best])], limits.items);
  return {
    ...{ dimension, kind },
    items: items.shown,
    whole: board === undefined ? [] : items.shown.map((item) => whole.get(item) ?? null),
    columns: columns.shown.map(({ source, places, all: numbers, own }) => {
      const rows = new Map(own.map((row) => [row.item, row]));
      return {
        ...{ source, places },
        all: numbers.map(({ verdict }) => ({ verdict })),
        rows: items.shown.map((item) => rows.get(item) ?? null),
      };
    }),
    repeats: all.filter(isRepeat).map(({ source }) => source),
    more: { items: items.more, columns: columns.more },
  };
}
