import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import * as recount from "../../src/index.js";

type Cells = Readonly<Record<string, unknown>>;

/** SQL for everything that an export knows of a rating, in one row, as a spreadsheet has it. */
export const ratingRows = `
  select r.score, r.rater_id, r.slate_id, r.session_id, r.job_id, r.stimulus_id, r.stimulus, r.dimension, r.is_training, r.meta, r.is_correct,
    strftime(timezone('UTC', s.date_completed), '%Y-%m-%dT%H:%M:%S.%fZ') as completed,
    strftime(timezone('UTC', s.date_created), '%Y-%m-%dT%H:%M:%S.%fZ') as created,
    strftime(timezone('UTC', l.date_updated), '%Y-%m-%dT%H:%M:%S.%fZ') as updated
  from ratings as r
  left join sessions as s on s.experiment_id = r.experiment_id and s.id = r.session_id
  left join slates as l on l.experiment_id = r.experiment_id and l.session_id = r.session_id and l.id = r.slate_id`;

export const ratingList = {
  from: "ratings",
  rater: "rater_id",
  slate: "slate_id",
  session: "session_id",
  job: "job_id",
  item_id: "stimulus_id",
  item: "stimulus",
  dimension: "dimension",
  score: "score",
  meta: "meta",
  completed: "completed",
  started: "created",
  time: "updated",
  training: "is_training",
  correct: "is_correct",
} as const;

/** An exported result as an entry of `published`, whose numbers are in the files `from`. */
export function publishedTable(
  from: string,
  { kind, dimension, source, options }: Cells,
  columns: readonly string[],
) {
  const named = columns.filter((column) => column !== "stimulus").map((column) => [column, column]);
  return {
    from,
    kind,
    dimension: { value: dimension ?? "" },
    source: { value: source ?? "" },
    item: "stimulus",
    fields: Object.fromEntries(named) as Record<string, string>,
    options: JSON.parse((options as string | null) ?? "{}") as object,
  };
}

const lines = (rows: readonly Cells[]) =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) =>
        typeof value === "bigint" ? Number(value) : value,
      ),
    )
    .join("\n");

interface StudyFiles {
  /** How the names of the files begin, and the name of the set of files in the mapping. */
  readonly stem?: string;
  /** Records beside those that were exported. */
  readonly more?: readonly Cells[];
  /** Further keys of the list. */
  readonly list?: object;
  readonly name?: string;
}

/** Writes an exported experiment of a lake as the files of a study. Returns the path of their mapping. */
export async function writeStudy(
  lake: string,
  experiment: string,
  folder: string,
  { stem = "ratings", more = [], list = {}, name }: StudyFiles = {},
): Promise<string> {
  const snapshot = await recount.openSnapshot({ lake });
  const own = `experiment_id = '${experiment}'`;
  const rows = await snapshot.query(
    `${ratingRows} where r.${own} order by slate_id, dimension, stimulus`,
  );
  const results = await snapshot.query(
    `select * from results where ${own} order by kind, dimension, source`,
  );
  const [study] = await snapshot.query(
    `select id, name, type from experiments where id = '${experiment}'`,
  );
  snapshot.close();
  const files: Record<string, string> = { [stem]: `${stem}.jsonl` };
  writeFileSync(join(folder, `${stem}.jsonl`), lines([...rows, ...more]));
  const published = results.map((result, i) => {
    const entries = JSON.parse(result.scores as string) as Cells[];
    files[`board${i}`] = `${stem}-${i}.jsonl`;
    writeFileSync(join(folder, `${stem}-${i}.jsonl`), lines(entries));
    return publishedTable(`board${i}`, result, Object.keys(entries[0] ?? {}));
  });
  const mapping = join(folder, `${stem}.yaml`);
  const ratings = { ...ratingList, from: stem, ...list };
  writeFileSync(
    mapping,
    stringify({ study: { ...study, ...(name && { name }) }, files, ratings, published }),
  );
  return mapping;
}
