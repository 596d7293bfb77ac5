import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { createEvaluator, type Evaluator } from "../src/audit/recompute/evaluator.js";
import type { Finding } from "../src/audit/judge/finding.js";
import { loadRatings } from "../src/audit/recompute/ratings.js";
import { ownScenario, patched, type ScenarioPatch } from "../src/audit/recompute/scenario.js";
import { auditSnapshot } from "../src/audit/audit.js";
import { auditLake, type Kind } from "../src/audit/index.js";
import { createClient } from "../src/client/index.js";
import { exportSnapshot } from "../src/extract/index.js";
import { defaultConventions } from "../src/metrics/conventions.js";
import { startEmulator } from "../src/emulator/index.js";
import { openWarehouse, recomputeModels, type Warehouse } from "../src/warehouse/index.js";
import { writeStudy } from "./metrics-data.js";
import { isSmall } from "./whole-process.js";

type Line = readonly [task: string, ms: number, note: string];

/** Times the audit of the sample project and of a large experiment, and prints a table. */
export async function benchAudit(print: (text: string) => void): Promise<void> {
  const lines = [
    await sampleLine(),
    ...(await largeLines({ comparisons: isSmall ? 2000 : 1_000_000, items: 50 })),
  ];
  const table = new Table({
    head: ["audit", "ms", ""],
    colAligns: ["left", "right", "left"],
    style: { head: [] },
  });
  for (const [task, ms, note] of lines) table.push([task, ms.toFixed(0), note]);
  print(table.toString());
}

async function sampleLine(): Promise<Line> {
  const lake = await mkdtemp(join(tmpdir(), "recount-bench-"));
  const service = await startEmulator({});
  try {
    const client = createClient({
      baseUrl: service.url,
      credentials: { scheme: "api-key", key: service.apiKey },
    });
    await exportSnapshot({ client, projectId: service.projectId, lake });
    await client.close();
    const start = performance.now();
    const { warehouse, report } = await auditLake(lake, service.projectId);
    const ms = performance.now() - start;
    warehouse.close();
    return [
      "sample project: every model, audit and search",
      ms,
      `${report.rows.length} numbers, ${report.summary.explained} explained`,
    ];
  } finally {
    await service.close();
    await rm(lake, { recursive: true });
  }
}

interface Planted {
  readonly kind: Kind;
  readonly patch?: ScenarioPatch;
  readonly corrupt?: (value: number, i: number) => number;
}

const wrong = (v: number, i: number): number => v + (i % 3);
const rounded = (v: number): number => Number(v.toFixed(1));
const quality = { bayesian_elo: { rater_quality: { alpha: 10, beta: 2 } } };

/** The published results of the large experiment, one audit per line. */
const published: readonly (readonly [what: string, results: readonly Planted[]])[] = [
  [
    "percent_chosen with training",
    [{ kind: "percent_chosen", patch: { population: { training: "include" } } }],
  ],
  [
    "elo with K 24 and start 1500, 1 decimal",
    [{ kind: "elo", patch: { conventions: { elo: { k: 24, start: 1500 } } }, corrupt: rounded }],
  ],
  [
    "the same with training",
    [
      {
        kind: "elo",
        patch: {
          population: { training: "include" },
          conventions: { elo: { k: 24, start: 1500 } },
        },
        corrupt: rounded,
      },
    ],
  ],
  [
    "elo with training, batched by session",
    [
      {
        kind: "elo",
        patch: {
          population: { training: "include" },
          conventions: { elo: { update: "session_batch" } },
        },
      },
    ],
  ],
  [
    "bayesian_elo with shape 2",
    [{ kind: "bayesian_elo", patch: { conventions: { bayesian_elo: { shape: 2 } } } }],
  ],
  [
    "bayesian_elo with training and rater quality",
    [
      {
        kind: "bayesian_elo",
        patch: { population: { training: "include" }, conventions: quality },
      },
    ],
  ],
  ["win_loss, corrupted", [{ kind: "win_loss", corrupt: wrong }]],
  ["percent_chosen, corrupted", [{ kind: "percent_chosen", corrupt: wrong }]],
  ["elo, corrupted", [{ kind: "elo", corrupt: wrong }]],
  ["bayesian_elo, corrupted", [{ kind: "bayesian_elo", corrupt: wrong }]],
  [
    "all four, corrupted",
    (["win_loss", "percent_chosen", "elo", "bayesian_elo"] as const).map((kind) => ({
      kind,
      corrupt: wrong,
    })),
  ],
];

async function largeLines(study: { comparisons: number; items: number }): Promise<Line[]> {
  const dir = await mkdtemp(join(tmpdir(), "recount-bench-"));
  try {
    const warehouse = await openWarehouse({ sources: await writeStudy(dir, study) });
    const begun = performance.now();
    await recomputeModels(warehouse, defaultConventions);
    const models = performance.now() - begun;
    const evaluator = createEvaluator(await loadRatings(warehouse, "bench"));
    const lines: Line[] = [
      [
        `${study.comparisons.toLocaleString("en")} comparisons, ${study.items} items: every model`,
        models,
        "",
      ],
    ];
    for (const [what, results] of isSmall ? published.slice(0, 2) : published) {
      await publish(warehouse, evaluator, results);
      const from = performance.now();
      const { findings } = await auditSnapshot(
        warehouse,
        { id: "bench", created_at: "" },
        defaultConventions,
      );
      const ms = performance.now() - from;
      lines.push([`  ${what}`, ms, findings.map(noteOf).join("; ")]);
      if (results.length > 1)
        lines.push([`  ${what}, with every model (aim: 60,000)`, ms + models, ""]);
    }
    warehouse.close();
    return lines;
  } finally {
    await rm(dir, { recursive: true });
  }
}

function noteOf({ tried, untried, explanation, smallest_difference: difference }: Finding): string {
  const left = untried.length > 0 ? `, not tried: ${untried.join(", ")}` : "";
  return `${tried} tried${left}: ${explanation?.name ?? difference?.says ?? "unexplained"}`;
}

async function publish(
  warehouse: Warehouse,
  evaluator: Evaluator,
  results: readonly Planted[],
): Promise<void> {
  await warehouse.all("drop view if exists results");
  await warehouse.all(`create or replace table results_published
    (experiment_id varchar, kind varchar, dimension varchar, source varchar, asked_source varchar, scores json, options json, _meta json)`);
  for (const { kind, patch = {}, corrupt = (v: number) => v } of results) {
    const field = kind === "win_loss" ? "wins" : "value";
    const { items, columns } = evaluator.table(
      kind,
      patched(ownScenario(defaultConventions, "", ""), patch),
      false,
    );
    const scores = items.map((stimulus, i) => ({
      stimulus,
      [field]: corrupt(columns[field]?.[i] ?? NaN, i),
    }));
    await warehouse.all(
      "insert into results_published values ('bench', $1, '', '', null, cast($2 as json), cast('{}' as json), null)",
      [kind, JSON.stringify(scores)],
    );
  }
  await warehouse.all("create view results as from results_published");
}
