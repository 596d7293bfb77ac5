// The numbers of a cell as boards write them.

const medals = ["🥇", "🥈", "🥉"];
/** May be beside the numbers of a cell. */
const besides = /^(?:[\s*_`()[\]{},;:/|±%=#+–-]|T|st|nd|rd|th|\p{Extended_Pictographic}|\uFE0F)*$/u;
const numberForm = /(?:\+|(?<![\d.])-)?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/giu;

export const digitsAfterPoint = (number: string) => number.split(".")[1]?.length ?? 0;

/** `expected` of them, or none: `1021 -6` and `1021 +7` of `+7/-6`. @param base that it is about */
export function cellNumbers(cell: string, sign: string, expected: number, base?: string): string[] {
  const medal = medals.findIndex((one) => cell.includes(one));
  const bare = cell.replaceAll("−", "-").replaceAll(/\+\/?-/g, "±");
  const plain = medal >= 0 && !/\d/.test(bare) ? String(medal + 1) : bare.replace(/^T-?(?=\d)/, "");
  const group = sign === "," ? "." : ",";
  const grouped = new RegExp(`(?<![\\d.,])\\d{1,3}(?:[${group}\\s’']\\d{3})+(?!\\d)`, "g");
  const ways = [plain.replaceAll(grouped, (all) => all.replaceAll(/\D/g, "")), plain];
  for (const one of ways.flatMap((way) => [way, way.replace(/±\s*(\S+)/, "+$1/-$1")])) {
    const text = sign === "," ? one.replaceAll(/(?<=\d),(?=\d)/g, ".") : one;
    const found = text.match(numberForm) ?? [];
    const isBare = base !== undefined && /^\W*[+-]/.test(text);
    const [middle = "", ...ends] = isBare ? [base, ...found] : found;
    const isAround = ends.length === 2 && /^(\+.*,-|-.*,\+)/.test(ends.join());
    const inOrder = ends.toSorted((x, y) => Number(x) - Number(y));
    const numbers = isAround ? inOrder.map((end) => `${middle} ${end}`) : ends;
    const own = isBare ? numbers : [middle, ...numbers];
    if (!besides.test(text.replaceAll(numberForm, ""))) return [];
    if (found.length > 0 && own.length === expected)
      return own.map((number) => number.replace(/^\+/, ""));
  }
  return [];
}
