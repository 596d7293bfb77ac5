import { counted } from "../../../platform/index.js";
import { shortNumber, signedNumber } from "../../numbers.js";
import { sourceText } from "../../places.js";
import { group } from "../../verdict-sentence.js";
import type { ChangeData } from "../data/index.js";
import { html, type Html } from "../html.js";
import { limits } from "../limits.js";
import { moreNote, table } from "../parts.js";

/** What changed since the snapshot before. */
export function changes(data: ChangeData): Html {
  const { before, unchanged, changed, deleted, diff } = data;
  const removed = deleted.map(({ table: name, experiment, ids }) =>
    [`${group(ids)} deleted from ${name}`, experiment && `of ${experiment}`].filter((part) => part !== "").join(" "),
  );
  const republished = new Set(
    changed.filter(({ table: name }) => name === "results").map(({ experiment }) => experiment),
  );
  const moved =
    diff === null
      ? "They are too large to compare row by row here; recount diff does."
      : `${counted(diff.numbers.length, "recomputed number")} moved.`;
  return html`<p>
      Compared with <code>${before}</code>, ${group(changed.length)} files differ and ${group(unchanged)} are the same.
      ${moved} ${republished.size > 0 && `The published results of ${[...republished].join(", ")} changed.`}
      ${removed.length > 0 && `${removed.join("; ")}.`}
    </p>
    ${diff === null ? files(data) : [rows(diff), numbers(diff)]}`;
}

type Diff = NonNullable<ChangeData["diff"]>;

function rows({ tables }: Diff): Html | false {
  return (
    tables.length > 0 &&
    table(
      [
        { head: "Table", as: "item" },
        { head: "Added", as: "num" },
        { head: "Removed", as: "num" },
        { head: "Changed", as: "num" },
      ],
      tables.map((each) => [each.table, group(each.added), group(each.removed), group(each.changed)]),
      { caption: "Rows that differ, by key", label: "Rows that differ since the snapshot before" },
    )
  );
}

const rank = (place: number | null): string => (place === null ? "–" : String(place));

function numbers({ numbers: all }: Diff): Html | false {
  const shown = all.slice(0, limits.changes);
  return (
    all.length > 0 &&
    html`${table(
      [
        { head: "Experiment", as: "item" },
        { head: "Metric" },
        { head: "Dimension", as: "item" },
        { head: "Ratings" },
        { head: "Item" },
        { head: "Before", as: "num" },
        { head: "Now", as: "num" },
        { head: "Rank", as: "num" },
      ],
      shown.map((each) => [
        each.experiment,
        each.kind,
        each.dimension,
        sourceText(each.source) || "all",
        each.item,
        shortNumber(each.before),
        shortNumber(each.after),
        each.rank_before === each.rank_after
          ? rank(each.rank_after)
          : `${rank(each.rank_before)} → ${rank(each.rank_after)}`,
      ]),
      { caption: "Recomputed numbers that moved", label: "Recomputed numbers that moved since the snapshot before" },
    )}${moreNote(all.length - shown.length, "numbers")}`
  );
}

const count = (some: number | null): string => (some === null ? "–" : group(some));

function files({ changed }: ChangeData): Html {
  const shown = changed.slice(0, limits.changes);
  return html`${
    shown.length > 0 &&
    table(
      [
        { head: "Table" },
        { head: "Experiment", as: "item" },
        { head: "Rows before", as: "num" },
        { head: "Rows now", as: "num" },
        { head: "Change", as: "num" },
      ],
      shown.map((each) => [
        each.table,
        each.experiment,
        count(each.before),
        count(each.after),
        each.before === null || each.after === null ? "" : signedNumber(each.after - each.before),
      ]),
      { caption: "Files of the snapshot that differ", label: "Changes since the snapshot before" },
    )
  }${moreNote(changed.length - shown.length, "changed files")}`;
}
