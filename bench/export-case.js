// One measurement of bench/export.ts, as a process of its own over the built project.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";

const built = (path) => import(new URL(`../.bench/${path}`, import.meta.url));
const [kind, second, third, dir] = process.argv.slice(2);

/** The elements of each list that is served, by the last part of its path; `study`: every list that has any. */
function bodies(made, ratings) {
  if (third !== "study") return { ratings: made.syntheticRatings(ratings) };
  const results = Object.entries(made.syntheticScores(ratings)).map(([kind, scores]) =>
    JSON.stringify({ kind, dimension: "", source: "", scores, options: {} }),
  );
  return {
    ratings: made.syntheticRatings(ratings),
    slates: made.syntheticSlates(ratings),
    sessions: made.syntheticSessions(ratings),
    raters: made.syntheticRaters(ratings),
    results,
  };
}

async function writeBody(file, elements) {
  const out = createWriteStream(file);
  const unknown = third === "unknown" ? ',"mood":"calm","device":{"kind":"phones","gain":0.5}' : "";
  // One element has a field twice.
  let odd = third === "odd" ? ',"meta":{}' : "";
  let text = "[";
  let comma = "";
  for (const element of elements) {
    text += `${comma}${element.slice(0, -1)}${unknown}${odd}}`;
    odd = "";
    comma = ",";
    if (text.length < 1 << 20) continue;
    if (!out.write(text)) await once(out, "drain");
    text = "";
  }
  out.end(`${text}]`);
  await once(out, "close");
}

async function serve() {
  // Before it listens: a service that cannot make its lists never starts.
  const made = await import("./synthetic.js");
  const folder = await mkdtemp(join(tmpdir(), "recount-body-"));
  const written = new Map();
  const writeLists = async (ratings) => {
    for (const [list, elements] of Object.entries(bodies(made, ratings)))
      await writeBody(join(folder, `${ratings}-${list}.json`), elements);
  };
  const ratings = Number(second);
  let more = 0;
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    response.setHeader("content-type", "application/json");
    if (path === "/more") more = 40;
    const count = Number(/\/p(\d+)\//.exec(path)?.[1] ?? 1);
    const [, of, list] = /\/experiments\/(\w+)\/(\w+)\/$/.exec(path) ?? [];
    // Of a thousand experiments no two are alike: each has a comparison more than the one before.
    const number = Number(of?.slice(1) ?? 0);
    const middle = Math.floor(Math.min(count, 1000) / 2);
    const size = ratings + 2 * ((number % 1000) - middle) + (number === 0 ? more : 0);
    if (of && !written.has(size)) written.set(size, writeLists(size));
    await written.get(size);
    const file = join(folder, `${size}-${list}.json`);
    // Sessions name their experiment.
    if (list === "sessions")
      return void response.end(readFileSync(file, "utf8").replaceAll('"Synthetic"', `"${of}"`));
    if (list && existsSync(file))
      return void createReadStream(file, { highWaterMark: 1 << 18 })
        .on("end", () => response.end(" ".repeat(Math.floor(number / 1000))))
        .pipe(response, { end: false });
    const [, id] = /\/experiments\/(\w+)\/$/.exec(path) ?? [];
    if (id) return void response.end(JSON.stringify({ id, name: id, type: "pairwise_audio" }));
    const experiments = Array.from({ length: count }, (_, i) => ({
      id: `e${i}`,
      name: `e${i}`,
      type: "pairwise_audio",
    }));
    response.end(JSON.stringify(path.endsWith("/experiments/") ? experiments : []));
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
  process.on("SIGTERM", () => void rm(folder, { recursive: true }).then(() => process.exit(0)));
}

const rating = {
  score: "DOUBLE",
  rater_id: "VARCHAR",
  slate_id: "BIGINT",
  session_id: "VARCHAR",
  job_id: "VARCHAR",
  stimulus_id: "BIGINT",
  stimulus: "VARCHAR",
  dimension: "VARCHAR",
  is_training: "BOOLEAN",
  meta: "JSON",
  is_correct: "BOOLEAN",
};
const fieldsOf = (types) => Object.entries(types).map(([name, type]) => `${name} ${type}`);

/** The columns of each list as somebody would name them for `read_json`. */
const columns = {
  ratings: rating,
  slates: {
    id: "BIGINT",
    rater_id: "VARCHAR",
    session_id: "VARCHAR",
    job_id: "VARCHAR",
    ratings: `STRUCT(${fieldsOf(rating).join(", ")})[]`,
    date_updated: "TIMESTAMPTZ",
    meta: "JSON",
    is_training: "BOOLEAN",
  },
  sessions: {
    id: "VARCHAR",
    job_id: "VARCHAR",
    experiment_id: "VARCHAR",
    date_created: "TIMESTAMPTZ",
    date_updated: "TIMESTAMPTZ",
    date_completed: "TIMESTAMPTZ",
    meta: "JSON",
    rater: "JSON",
  },
  raters: { id: "VARCHAR", user: "JSON", meta: "JSON" },
  results: {
    kind: "VARCHAR",
    dimension: "VARCHAR",
    source: "VARCHAR",
    scores: "JSON",
    options: "JSON",
  },
};

/** Spools each list with its digest, and has the engine convert it: nothing is checked, split or sorted. */
async function plain(url, experiments, lists) {
  const { request } = await import("undici");
  const { openWarehouse } = await built("warehouse/index.js");
  const { default: pLimit } = await import("p-limit");
  const [requests, conversions] = [pLimit(6), pLimit(2)];
  const warehouses = await Promise.all(
    [1, 2].map(() => openWarehouse({ sources: {}, threads: 1, memory: "300MB" })),
  );
  let bytes = 0;
  const one = async (i, list) => {
    const file = join(dir, `${i}-${list}.json`);
    await requests(async () => {
      const { body } = await request(`${url}/projects/p${experiments}/experiments/e${i}/${list}/`);
      const hash = createHash("sha256");
      const out = await open(file, "w");
      for await (const chunk of body) {
        hash.update(chunk);
        bytes += chunk.length;
        await out.writeFile(chunk);
      }
      await out.close();
      return hash.digest("hex");
    });
    await conversions(async () => {
      const warehouse = warehouses.pop();
      const types = Object.entries(columns[list]).map(([name, type]) => `${name}: '${type}'`);
      const read = `select * from read_json('${file}', format = 'array', columns = {${types.join(", ")}}, maximum_object_size = 16777216)`;
      await warehouse.all(`copy (${read}) to '${file}.parquet' (format parquet, compression zstd)`);
      warehouses.push(warehouse);
    });
  };
  await Promise.all(
    Array.from({ length: experiments }, (_, i) => lists.map((list) => one(i, list))).flat(),
  );
  const [{ n }] = await warehouses[0].all(
    `select sum(num_rows)::double as n from parquet_file_metadata('${dir}/*-ratings.json.parquet')`,
  );
  return { bytes, rows: n };
}

/** @param lists `study`: every table; otherwise the ratings alone. @param keepRaw whether bodies are kept, as they are by default */
async function exportAll(url, experiments, lists, keepRaw) {
  const { createClient } = await built("client/index.js");
  const { exportSnapshot } = await built("extract/index.js");
  const client = createClient({
    baseUrl: url,
    credentials: { scheme: "api-key", key: "benchkey.0123456789abcdefghijklmnopqrstuv" },
  });
  const report = await exportSnapshot({
    client,
    projectId: `p${experiments}`,
    lake: dir,
    tables: lists === "study" ? undefined : ["ratings"],
    keepRaw,
  });
  await client.close();
  const parts = report.manifest.units
    .flatMap((unit) => unit.parts)
    .filter((part) => part.table === "ratings");
  return {
    bytes: report.bytes,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    readers: [...new Set(parts.map((part) => part.reader))],
  };
}

if (kind === "serve") await serve();
else {
  const started = performance.now();
  const experiments = Number(third);
  const [lists, how] = kind.startsWith("study") ? kind.split("-") : ["ratings", kind];
  const done = await (how === "ceiling"
    ? plain(second, experiments, lists === "study" ? Object.keys(columns) : ["ratings"])
    : exportAll(second, experiments, lists, how === "raw"));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage();
  process.stdout.write(
    JSON.stringify({
      ...done,
      seconds,
      cpuSeconds: (user + system) / 1e6,
      peakMb: process.resourceUsage().maxRSS / 1024,
    }),
  );
}
