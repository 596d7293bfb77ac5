// Reads the numbers of a cell as boards write them.

const medals = ["🥇", "🥈", "🥉"];
/** May be beside the numbers of a cell. */
const besides = /^(?:[\s*_`()[\]{},;:/|±%=#+–-]|T|st|nd|rd|th|\p{Extended_Pictographic}|\uFE0F)*$/u;
const numberForm = /(?:\+|(?<![\d.])-)?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/giu;

export const digitsAfterPoint = (number: string) => number.split(".")[1]?.length ?? 0;

/** `expected` of them, or none. @param base that `+7/-6` alone is about */
export function cellNumbers(cell: string, sign: string, expected: number, base?: string): string[] {
  const medal = medals.findIndex((one) => cell.includes(one));
  const bare = cell.replaceAll("−", "-").replaceAll(/\+\/?-/g, "±");
  const plain = medal >= 0 && !/\d/.test(bare) ? String(medal + 1) : bare.replace(/^T-?(?=\d)/, "");
  const group = sign === "," ? "." : ",";
  const grouped = new RegExp(`(?<![\\d.,])\\d{1,3}(?:[${group}\\s’']\\d{3})+(?!\\d)`, "g");
  for (const one of [plain.replaceAll(grouped, (all) => all.replaceAll(/\D/g, "")), plain]) {
    const text = sign === "," ? one.replaceAll(/(?<=\d),(?=\d)/g, ".") : one;
    const found = text.match(numberForm) ?? [];
    const isBare = base !== undefined && /^\W*[+-]/.test(text);
    const [middle = "", ...ends] = isBare ? [base, ...found] : found;
    const isAround = ends.length === 2 && /^(\+.*,-|-.*,\+)/.test(ends.join());
    const digits = Math.max(...[middle, ...ends].map(digitsAfterPoint));
    const around = ends.map((end) => Number(middle) + Number(end)).toSorted((x, y) => x - y);
    const numbers = isAround ? around.map((end) => end.toFixed(digits)) : ends;
    const own = isBare ? numbers : [middle, ...numbers];
    if (!besides.test(text.replaceAll(numberForm, ""))) return [];
    if (found.length > 0 && own.length === expected)
      return own.map((number) => number.replace(/^\+/, ""));
  }
  return [];
}
