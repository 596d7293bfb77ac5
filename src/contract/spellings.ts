// What names of rows and columns, and truths in cells, mean in any table.

/** Rows and columns that sum up a table, in any letter case. */
const summaryWords =
  "mean|average|avg|median|total|sum|mos|s\\.?d\\.?|std|std(\\.? ?|_)dev\\.?|stdev|" +
  "standard deviation|variance|(95 ?% ?)?ci|ci ?95( ?%)?|mittelwert|durchschnitt|moyenne|平均";
const summaryName = new RegExp(`^[\\W_]*(${summaryWords})[\\W_]*$`, "i");
/** Of a column, overall may be what was asked. */
const rowWords = `overall|((grand|sub|overall)[ _-]?)?(${summaryWords})`;
export const summaryRow = `(?i)^[\\W_]*(${rowWords})[\\W_]*$`;

export const isSummary = (name: string) => summaryName.test(name);

export const truths = {
  true: ["true", "1", "yes", "t", "y"],
  false: ["false", "0", "no", "f", "n"],
};
