import { byText } from "../../../platform/index.js";
import { createEvaluator } from "../../evaluate/index.js";
import { fitOf, type Target, type TargetFit } from "../../target/index.js";
import type { Budget } from "../budget.js";
import { chanceBits } from "../chance.js";
import type { Mismatch } from "../mismatch.js";
import { isOrAre, listOf } from "../repair.js";
import { foundItems, type FoundItems } from "./found.js";
import { offset } from "./offset.js";
import { permuted } from "./permuted.js";

/**
 * Finds what was done to the published items themselves, if the `evidence` (bits) outweighs the choice; otherwise names
 * the items that differ, if they are few.
 */
export function repairItems(mismatch: Mismatch, evidence: number, budget: Budget): FoundItems | null {
  const { target, evaluator, scenario } = mismatch;
  const table = evaluator.table(target.kind, scenario);
  const fit = fitOf(target, table, scenario.rounding);
  const missed = [...new Set(fit.misses.map((i) => target.cells[i]?.item ?? ""))].sort(byText);
  const items = [...new Set([...missed, ...fit.unpublished])].sort(byText);
  if (items.length === 0) return null;
  if (missed.length === 0) {
    if (evidence < 0) return null;
    const says = `${listOf(items)} ${items.length === 1 ? "is" : "are"} not published; every other item matches`;
    return foundItems("missing", items, says);
  }
  const ways = [
    () => permuted(target, table, missed, fit),
    () => offset(mismatch, table, fit),
    () => merged(mismatch, fit, budget),
  ];
  for (const way of ways) {
    const found = way();
    if (found !== null && found.bits + chanceBits <= evidence) return found;
  }
  const says = onlyText(target, fit, items);
  return says === null ? null : foundItems("items", items, says, { isCertain: false });
}

/** "only q1 and q3 differ, in 4 items"; "only a and b differ" if none of their fields matches; null if most differ. */
function onlyText({ cells }: Target, { misses, unpublished }: TargetFit, items: readonly string[]): string | null {
  const fields = [...new Set(misses.map((i) => cells[i]?.field ?? ""))];
  const [allItems, allFields] = (["item", "field"] as const).map((key) => new Set(cells.map((c) => c[key])).size);
  if (unpublished.length === 0 && fields.length <= (allFields ?? 0) / 2) {
    const where = items.length === 1 ? `for ${items[0] ?? ""}` : `in ${items.length} items`;
    const differ = fields.length === 1 && isOrAre(fields[0] ?? "") === "is" ? "differs" : "differ";
    return `only ${listOf(fields)} ${differ}, ${where}; every other number matches`;
  }
  if (items.length > (allItems ?? 0) / 2) return null;
  return `only ${listOf(items)} ${items.length === 1 ? "differs" : "differ"}; every other item matches`;
}

/** An item that is not published and whose ratings count as those of another. */
function merged(
  { target, evaluator: { ratings }, scenario }: Mismatch,
  fit: TargetFit,
  budget: Budget,
): FoundItems | null {
  if (scenario.population.item !== "own" || fit.unpublished.length > 3) return null;
  const all = [...new Set(target.cells.map((cell) => cell.item))].sort(byText);
  const share = budget.share(0.5);
  for (const from of fit.unpublished) {
    for (const to of all) {
      if (!share.spend(4 * ratings.score.length + 20_000)) return null;
      const stimuli = ratings.stimuli.map((s) => (s.item === from ? { ...s, item: to } : s));
      const table = createEvaluator({ ...ratings, stimuli }).table(target.kind, scenario);
      if (fitOf(target, table).missBits > 0) continue;
      const bits = Math.log2(fit.unpublished.length * all.length);
      return foundItems("merged", [from, to], `the ratings of ${from} are counted as ${to}`, { gives: table, bits });
    }
  }
  return null;
}
