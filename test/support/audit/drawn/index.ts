/**
 * Trials drawn at random: any algorithm, over any ratings, with any error. Conventions meet here in pairs that no other
 * set has, and the algorithms and errors without a name are others than those of ../bed and ../held-out. It is for
 * measuring, once; what is mended afterwards is measured with new seeds.
 */
import { seededRandom } from "../../../../src/platform/random.js";
import type { Algorithm } from "../bed/algorithm.js";
import { caseOf, type Case, type TrialSet } from "../bed/case.js";
import { changes, type Change } from "../bed/corruptions.js";
import { definitions } from "../bed/algorithms.js";
import { heldOutAlgorithms, heldOutChanges, heldOutStudy, inStudy, shapeOf } from "../held-out/index.js";
import { drawnErrors, drawnSlips } from "./errors.js";
import { drawnElos, drawnRecords, drawnShares, drawnStrengths } from "./paired.js";
import { drawnApprovals, drawnMeans, drawnStats } from "./scored.js";

/** Cases drawn for one study, kinds in turn. */
const perStudy = 32;

const isNamed = ({ names }: { readonly names: readonly string[] }): boolean => names.length > 0;
const defined = definitions.map(inStudy);
const conventions = heldOutAlgorithms.filter((a) => isNamed(a) && !a.name.includes("wrong"));
const others = [drawnMeans, drawnStats, drawnApprovals, drawnShares, drawnRecords, drawnElos, drawnStrengths].flat();
/** Those of ../bed know one dimension only. */
const inDimension = ({ rows, ...change }: Change): Change =>
  rows === undefined
    ? change
    : {
        ...change,
        rows: (study, random) => rows({ ...study, rows: study.rows.filter((r) => r.dimension !== "other") }, random),
      };
const named = [...changes.map(inDimension), ...heldOutChanges].filter(isNamed);
const populations = named.filter((c) => c.rows !== undefined);
const maps = named.filter((c) => c.rows === undefined);

/** What is published: an algorithm, then what happened to the ratings and the numbers. */
type Draw = (kind: readonly Algorithm[], one: <T>(all: readonly T[]) => T) => [Algorithm | undefined, Change[]];

const ways: readonly Draw[] = [
  (of, one) => [one(of.filter(isConvention)), []],
  (of, one) => [one(of.filter(isConvention)), [one(populations)]],
  (of, one) => [one(of.filter(isDefinition)), [one(populations), one(maps)]],
  (of, one) => [one(of.filter(isOther)), []],
  (of, one) => [one(of.filter(isOther)), [one(populations)]],
  (of, one) => [one(of.filter(isOther)), []],
  (of, one) => [one(of.filter(isDefinition)), [one(drawnErrors)]],
  (of, one) => [one(of.filter(isDefinition)), [one(drawnSlips)]],
  (of, one) => [one(of.filter(isConvention)), [one([...drawnErrors, ...drawnSlips])]],
  (of, one) => [one(of.filter(isDefinition)), [one(populations), one([...drawnErrors, ...drawnSlips])]],
];
const isConvention = (a: Algorithm): boolean => conventions.includes(a);
const isDefinition = (a: Algorithm): boolean => defined.includes(a);
const isOther = (a: Algorithm): boolean => others.includes(a);

export const drawn: TrialSet = {
  /** 20 seeds in a row have every family and size, in mixed order. */
  studyOf: (seed) => heldOutStudy(seed, shapeOf((13 * seed) % 20, seededRandom(seed * 7919 + 13))),
  casesOf({ family }, seed) {
    const random = seededRandom(seed * 15_485_863 + 3);
    const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const all = [...defined, ...conventions, ...others].filter((a) => a.families.includes(family));
    const kinds = [...new Set(all.map((a) => a.kind))];
    const cases = new Map<string, Case>();
    for (let i = 0; i < perStudy; i++) {
      const kind = kinds[i % kinds.length];
      const [algorithm, changed] = one(ways)(
        all.filter((a) => a.kind === kind),
        one,
      );
      if (algorithm === undefined) continue;
      const own = caseOf(algorithm, changed, isDefinition(algorithm));
      cases.set(`${kind} ${own.name}`, own);
    }
    return [...cases.values()];
  },
};
