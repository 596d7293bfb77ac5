/** A number for a table: integers in full up to 1e9, others with 6 significant digits. */
export function shortNumber(value: number | null): string {
  if (value === null) return "-";
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const magnitude = Math.abs(value);
  return magnitude !== 0 && (magnitude < 1e-3 || magnitude >= 1e9)
    ? value.toExponential(2)
    : String(Number(value.toPrecision(6)));
}

/** The numbers of one column, with their decimal points aligned. */
export function columnOfNumbers(values: readonly (number | null)[]): string[] {
  const texts = values.map(shortNumber);
  const decimals = Math.max(0, ...texts.map((t) => (/^-?\d+\.(\d+)$/.exec(t)?.[1] ?? "").length));
  return values.map((value, i) =>
    value !== null && /^-?\d+(\.\d+)?$/.test(texts[i] ?? "") ? value.toFixed(decimals) : (texts[i] ?? ""),
  );
}

export function signedNumber(value: number | null): string {
  return value !== null && value > 0 ? `+${shortNumber(value)}` : shortNumber(value);
}

/** `1 number`, `2 numbers`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `not auditable` for `not_auditable`. */
export function verdictText(verdict: string): string {
  return verdict.replaceAll("_", " ");
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}
