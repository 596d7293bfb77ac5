import { seededRandom } from "../../../../src/platform/random.js";
import { columnsOf, type Row, type Study } from "../bed/study.js";
import { shapeOf, type Shape } from "./shape.js";

export interface HeldOutStudy extends Study {
  readonly shape: Shape;
  /** The ratings of another experiment with the same items. */
  readonly another: () => readonly Row[];
}

/** A study of a shape that only its seed determines, unless another is given. */
export function heldOutStudy(seed: number, shape = shapeOf(seed, seededRandom(seed * 7919 + 13))): HeldOutStudy {
  const { family, items, sessions, slates } = shape;
  const names = Array.from({ length: items }, (_, i) => `sys-${String(i).padStart(2, "0")}`);
  const rows = rowsOf(shape, names, seed * 104_729 + 7);
  const name = `${family} ${items}x${sessions}x${slates} ${shape.design} ties ${shape.ties} load ${shape.load} #${seed}`;
  const another = (): readonly Row[] => rowsOf(shape, names, seed * 104_729 + 5_000_011).filter(isCounted);
  return {
    name,
    family,
    rows,
    counted: rows.filter(isCounted),
    items: names,
    ratings: columnsOf(rows),
    shape,
    another,
  };
}

export const isCounted = (r: Row): boolean => r.completed && !r.training && r.dimension !== "other";

function rowsOf(shape: Shape, names: readonly string[], seed: number): Row[] {
  const { family, items, sessions, slates, design, load, jobs } = shape;
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const any = (count: number): number => Math.floor(random() * count);
  const quality = names.map(() => normal());
  const raters = Array.from({ length: load === "equal" ? Math.max(3, sessions >> 1) : sessions }, () => ({
    level: 0.5 * normal(),
    spread: 0.5 + random(),
    noise: 0.5 + random(),
  }));
  const raterOf = (session: number): number =>
    load === "single" ? session : load === "equal" ? session % raters.length : random() < 0.4 ? 0 : session;
  const rows: Row[] = [];
  let slate = 0;
  for (let session = 0; session < sessions; session++) {
    const rater = raterOf(session);
    const completed = {
      none: true,
      last: session < sessions - Math.max(1, sessions >> 4),
      anywhere: random() > 0.12,
    }[shape.incomplete];
    const job = shape.jobsFollow ? Math.floor((session * jobs) / sessions) : any(jobs);
    const own = { session, rater, completed, job: `job-${"abcd"[job]}` };
    const { level, spread, noise } = raters[rater] as (typeof raters)[number];
    const shown = completed ? slates : Math.ceil(slates / 2);
    const order = names.map((_, i) => ({ i, at: random() })).sort((x, y) => x.at - y.at);
    for (let s = 0; s < shown; s++, slate++) {
      const training = s < Math.min(shape.training, shown - 1);
      const isChecked = random() < shape.checks;
      const correct = isChecked ? Number(random() > 0.33) : -1;
      const feel = (item: number): number =>
        (quality[item] as number) * spread + level + noise * normal() + (training ? 0.7 * normal() : 0);
      const dimensions = shape.dimensions === 2 ? ["", "other"] : [""];
      for (const dimension of dimensions) {
        const add = (item: number, score: number): void => {
          rows.push({ ...own, slate, training, dimension, correct, item: names[item] as string, score });
        };
        if (family === "pairwise") {
          const [a, b] = pairOf(design, items, any, random);
          const lead = feel(a) - feel(b);
          const outcome = Math.abs(lead) < 1.8 * shape.ties ? 0 : Math.sign(lead);
          add(a, outcome);
          add(b, -outcome);
        } else if (family === "mushra") {
          const kept = design === "crowded" ? order.filter(({ i }) => i < 2 || (i + s) % 2 === 0) : order;
          for (const { i } of kept) add(i, i === 0 && random() < 0.8 ? shape.scale(9) : shape.scale(feel(i)));
        } else {
          const item =
            design === "even" ? (order[s % items]?.i ?? 0) : design === "crowded" ? crowded(items, random) : any(items);
          add(item, shape.scale(feel(item)));
        }
      }
    }
  }
  return rows;
}

const crowded = (items: number, random: () => number): number => Math.floor(items * random() ** 1.7);

function pairOf(
  design: Shape["design"],
  items: number,
  any: (count: number) => number,
  random: () => number,
): [number, number] {
  const first = design === "hub" ? 0 : design === "crowded" ? crowded(items, random) : any(items);
  const step = design === "ring" ? 1 + any(Math.min(2, items - 1)) : 1 + any(items - 1);
  const second = (first + step) % items;
  return first < second ? [first, second] : [second, first];
}
