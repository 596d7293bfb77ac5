import { emulatedElo, shareChosen, tally } from "../.bench/emulator/scoring/comparisons.js";
import { defaultConvention } from "../.bench/emulator/scoring/convention.js";

// The lists of an experiment of any size, as texts of their elements: each slate is computed from its number.
// Twenty comparisons per session, two ratings per comparison, no training, every session complete.

const syntheticId = "Synthetic";
const syntheticJob = "SyntheticJob";
const items = 50;
const slatesPerSession = 20;
const start = Date.UTC(2026, 0, 5, 8);

const names = Array.from({ length: items }, (_, i) => `system-${String(i).padStart(2, "0")}`);

/** A 32-bit hash (Wang). */
function mixed(n) {
  let x = (n ^ 61 ^ (n >>> 16)) >>> 0;
  x = Math.imul(x, 9) >>> 0;
  x = (x ^ (x >>> 4)) >>> 0;
  x = Math.imul(x, 0x27d4eb2d) >>> 0;
  return (x ^ (x >>> 15)) >>> 0;
}

/** A slate of items `a` and `b`; `margin` is 1, 0 or -1 in favour of `a`. */
function slateAt(index) {
  const first = mixed(index);
  const second = mixed(index + 0x9e3779b9);
  const a = first % items;
  const b = (a + 1 + ((first >>> 8) % (items - 1))) % items;
  const chance = 1 / (1 + Math.exp((b - a) / 15));
  const drawn = (second % 10_007) / 10_007;
  const margin = (second >>> 16) % 12 === 0 ? 0 : drawn < chance ? 1 : -1;
  const session = Math.floor(index / slatesPerSession);
  const duration = 3000 + (first % 20_000);
  return {
    id: index + 1,
    session: sessionName(session),
    rater: raterOf(session),
    a,
    b,
    margin,
    duration,
  };
}

const sessionName = (session) => `Syn${session.toString(36)}`;
const raterOf = (session) => 1 + (mixed(session) % 2000);
const at = (session, seconds) => new Date(start + session * 60_000 + seconds * 1000).toISOString();

const slateCount = (ratings) => Math.ceil(ratings / 2);
const sessionCount = (ratings) => Math.ceil(slateCount(ratings) / slatesPerSession);

function ratingText(slate, item, score) {
  return `{"score":${score},"rater_id":${slate.rater},"slate_id":${slate.id},"session_id":"${slate.session}","job_id":"${syntheticJob}","stimulus_id":${90_000 + item},"stimulus":"${names[item]}","dimension":"","is_training":false,"meta":{"duration":${slate.duration},"device":"headphones","agent":"Mozilla/5.0 (X11; Linux x86_64) Listening/1.0"},"is_correct":null}`;
}

/** The ratings of a slate; the last slate of an odd number of ratings has one. */
function ratingTexts(slate, ratings) {
  const first = ratingText(slate, slate.a, slate.margin);
  return 2 * slate.id <= ratings
    ? [first, ratingText(slate, slate.b, -slate.margin || 0)]
    : [first];
}

export function* syntheticRatings(ratings) {
  for (let index = 0; index < slateCount(ratings); index += 1)
    yield* ratingTexts(slateAt(index), ratings);
}

export function* syntheticSlates(ratings) {
  for (let index = 0; index < slateCount(ratings); index += 1) {
    const slate = slateAt(index);
    const texts = ratingTexts(slate, ratings);
    const updated = at(Math.floor(index / slatesPerSession), 2 * (index % slatesPerSession));
    yield `{"id":${slate.id},"rater_id":"${slate.rater}","session_id":"${slate.session}","job_id":"${syntheticJob}","ratings":[${texts.join(",")}],"date_updated":"${updated}","meta":{"duration":${slate.duration}},"is_training":false}`;
  }
}

export function* syntheticSessions(ratings) {
  for (let session = 0; session < sessionCount(ratings); session += 1)
    yield `{"id":"${sessionName(session)}","job_id":"${syntheticJob}","experiment_id":"${syntheticId}","date_created":"${at(session, 0)}","date_updated":"${at(session, 50)}","date_completed":"${at(session, 50)}","meta":{},"rater":{"id":"${raterOf(session)}","user":{},"meta":null}}`;
}

export function* syntheticRaters(ratings) {
  const seen = new Set(
    Array.from({ length: sessionCount(ratings) }, (_, session) => raterOf(session)),
  );
  for (const id of [...seen].sort((a, b) => a - b)) yield `{"id":"${id}","user":{},"meta":null}`;
}

/** The comparisons in service order, one at a time. */
function* syntheticComparisons(ratings) {
  for (let index = 0; 2 * index + 1 < ratings; index += 1) {
    const { a, b, margin, session, rater } = slateAt(index);
    const result = margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
    yield { a: names[a], b: names[b], result, session, rater: String(rater) };
  }
}

/** Scores of the synthetic experiment, for the kinds that one pass over its comparisons can compute. */
export function syntheticScores(ratings) {
  const tallies = [...tally(syntheticComparisons(ratings))].sort(([a], [b]) => (a < b ? -1 : 1));
  const rated = emulatedElo(syntheticComparisons(ratings), defaultConvention.elo);
  const rows = (row) => tallies.map(([stimulus, own]) => ({ stimulus, ...row(own, stimulus) }));
  return {
    win_loss: rows((own) => own),
    percent_chosen: rows((own) => shareChosen(own, defaultConvention)),
    elo: rows((_, item) => ({ value: rated.get(item) ?? null })),
  };
}
