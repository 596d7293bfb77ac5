/** What bounds the size of a page. Whatever is left out is counted on the page. */
export const limits = {
  /** Experiments with rankings, plots and raters; the others have their line in the tables of the project. */
  experiments: 30,
  /** Of those, with rankings unfolded: all if there are no more than this, otherwise those with differences. */
  unfolded: 12,
  /** Experiments with a line in a table. */
  listed: 500,
  /** Lines of the table of results, most urgent first. */
  results: 400,
  /** Characters of any text. */
  text: 1000,
  /** Findings shown, and numbers shown for each. */
  findings: 40,
  differences: 20,
  items: 40,
  /** Rankings of jobs beside each other. */
  parts: 8,
  /** Items of a win matrix, and lines of a plot over sessions. */
  pairedItems: 24,
  lines: 12,
  /** Sessions at which a history has a point. */
  points: 60,
  scores: 20,
  raters: 400,
  ratersShown: 40,
  changes: 60,
  /** Rows of a snapshot up to which it is compared with the one before row by row, and its numbers are recomputed for that. */
  comparedRows: 500_000,
} as const;
