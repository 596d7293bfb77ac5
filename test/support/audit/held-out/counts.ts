import type { Numbers, Published } from "../bed/algorithm.js";
import type { Study } from "../bed/study.js";
import type { HeldOutStudy } from "./study.js";

/** Some studies publish values without counts, and some of the statistics only. */
export function countsIn(study: Study, published: Published): Published {
  const { withCounts } = (study as HeldOutStudy).shape;
  return withCounts ? published : without(published, (field) => field !== "value");
}

export function fieldsIn(study: Study, published: Published): Published {
  const { fields } = (study as HeldOutStudy).shape;
  return without(published, (field) => !fields.includes(field));
}

const without = (published: Published, isGone: (field: string) => boolean): Published =>
  new Map(
    [...published].map(([item, own]): [string, Numbers] => [
      item,
      Object.fromEntries(Object.entries(own).filter(([field]) => !isGone(field))),
    ]),
  );
