import type { LakeStore } from "../../src/lake/index.js";
import { retractFolder } from "../../src/lake/local.js";

export const killed = new Error("killed");

/** A store whose process is killed before step 3 if `at` is 3, and in the middle of step 3 if it is 3.5. */
export function dying(store: LakeStore, at: number): LakeStore & { steps(): number } {
  let count = 0;
  const step = async <T>(does: () => Promise<T>, half: () => Promise<unknown>) => {
    count++;
    if (count === at - 0.5) await half();
    if (count === at || count === at - 0.5) throw killed;
    return does();
  };
  const nothing = () => Promise.resolve();
  const steps: LakeStore & { steps(): number } = {
    ...store,
    retract: (folder, kept) => retractFolder(steps, folder, kept),
    adopt: (file, key) => step(() => store.adopt(file, key), nothing),
    put: (key, text) => step(() => store.put(key, text), nothing),
    link: (from, to) =>
      step(
        () => store.link(from, to),
        () => store.link(from, `${to}.link`),
      ),
    sync: (keys) => step(() => store.sync(keys), nothing),
    remove: (key) =>
      step(
        () => store.remove(key),
        async () => {
          for (const { name } of (await store.entries(key).catch(() => [])).filter(
            (_, i) => i % 2 === 0,
          ))
            await store.remove(`${key}/${name}`);
        },
      ),
    steps: () => count,
  };
  return steps;
}
