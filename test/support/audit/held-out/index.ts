/**
 * A set of trials that the rule of evidence was not developed with: other shapes of studies, seeds, conventions,
 * algorithms and errors than those of ../bed. It is for measuring, once; what is mended afterwards is measured with
 * new seeds.
 */
import type { Algorithm } from "../bed/algorithm.js";
import { algorithms, definitions } from "../bed/algorithms.js";
import { everyCase } from "../bed/bed.js";
import type { TrialSet } from "../bed/case.js";
import { heldOutApprovals } from "./approvals.js";
import { countsIn, fieldsIn } from "./counts.js";
import { heldOutElos } from "./elos.js";
import { heldOutErrors } from "./errors.js";
import { heldOutMeans } from "./means.js";
import { heldOutPopulations } from "./populations.js";
import { heldOutRanked, heldOutRecords, heldOutShares } from "./shares.js";
import { heldOutSlips } from "./slips.js";
import { heldOutSpreads } from "./spreads.js";
import { heldOutStrengths } from "./strengths.js";
import { heldOutStudy } from "./study.js";

export { shapeOf } from "./shape.js";
export { heldOutStudy } from "./study.js";

/** A convention with one number that is wrong. */
const withOneWrong = (algorithm: Algorithm): Algorithm => ({
  ...algorithm,
  name: `${algorithm.name}, one number wrong`,
  of(rows, study, random) {
    const published = algorithm.of(rows, study, random);
    const item = [...published.keys()].sort()[1] ?? "";
    const own = published.get(item) ?? {};
    const field = Object.keys(own).find((f) => f !== "n") ?? "";
    return new Map([...published, [item, { ...own, [field]: 1.1 * (own[field] as number) + 0.3 }]]);
  },
});

/** Studies publish some of the fields only. */
export const inStudy = (algorithm: Algorithm): Algorithm => ({
  ...algorithm,
  of(rows, study, random) {
    const published = algorithm.of(rows, study, random);
    if (algorithm.kind === "win_loss") return published;
    return algorithm.kind === "stats" ? fieldsIn(study, published) : countsIn(study, published);
  },
});

const planted = algorithms.filter(({ names }) => names.length > 0).map(inStudy);

export const heldOutAlgorithms: readonly Algorithm[] = [
  ...planted,
  ...planted.filter((_, i) => i % 4 === 0).map(withOneWrong),
  ...[
    heldOutMeans,
    heldOutSpreads,
    heldOutApprovals,
    heldOutShares,
    heldOutRanked,
    heldOutRecords,
    heldOutElos,
    heldOutStrengths,
  ].flat(),
];

export const heldOutChanges = [...heldOutPopulations, ...heldOutErrors, ...heldOutSlips];

export const heldOut: TrialSet = {
  studyOf: (seed) => heldOutStudy(seed),
  casesOf: everyCase(heldOutAlgorithms, definitions.map(inStudy), heldOutChanges),
};
