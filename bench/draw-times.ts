/** One measurement. */
export interface Point {
  readonly what: string;
  readonly size: number;
  readonly seconds: number;
}

const width = 480;
const height = 360;
const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const colours = "4c78a8 f58518 e45756 72b7b2 54a24b eeca3b b279a2 ff9da6 9d755d bab0ac".split(" ");
const short = new Intl.NumberFormat("en", { notation: "compact" });

/** The position of a value on a logarithmic axis of this length. */
const axis = (from: number, to: number, length: number) => (value: number) =>
  ((length * Math.log(value / from)) / Math.log(to / from)).toFixed(1);

/** Time over size as SVG, one line for each `what`, both axes logarithmic. */
export function drawTimes(
  points: readonly Point[],
  titles: { readonly size: string; readonly seconds: string; readonly what: string },
): string {
  const sizes = [...new Set(points.map(({ size }) => size))];
  const [smallest = 1, largest = 1] = [sizes[0], sizes.at(-1)];
  const seconds = points.map((point) => point.seconds);
  const lowest = ticks.findLast((tick) => tick <= Math.min(...seconds)) ?? 0.1;
  const highest = ticks.find((tick) => tick >= Math.max(...seconds)) ?? 1000;
  const x = axis(smallest, largest, width);
  const y = axis(highest, lowest, height);
  const shown = ticks.filter((tick) => tick >= lowest && tick <= highest);
  const names = points
    .filter(({ size }) => size === largest)
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ what }) => what);
  const lines = names.map((name, i) => {
    const own = points.filter(({ what }) => what === name);
    const at = own.map((point) => `${x(point.size)},${y(point.seconds)}`);
    const dots = at.map((one) => `<path d="M${one}h0"/>`).join("");
    const top = 20 + 18 * i;
    return (
      `<g stroke="#${colours[i % colours.length]}" stroke-width="2"><path d="M${at.join("L")}" fill="none"/>` +
      `<g stroke-width="7" stroke-linecap="round">${dots}<path d="M${width + 24},${top}h0"/></g></g>` +
      `<text x="${width + 34}" y="${top + 4}">${name}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="420" viewBox="-60 -15 900 420" font-family="sans-serif" font-size="12">
<rect x="-60" y="-15" width="900" height="420" fill="white"/>
<g stroke="#ddd">
${sizes.map((size) => `<path d="M${x(size)},0v${height}"/>`).join("")}
${shown.map((tick) => `<path d="M0,${y(tick)}h${width}"/>`).join("")}
</g>
<g text-anchor="middle">
${sizes.map((size) => `<text x="${x(size)}" y="${height + 18}">${short.format(size)}</text>`).join("")}
<text x="${width / 2}" y="${height + 36}" font-weight="bold">${titles.size}</text>
<text transform="translate(-42,${height / 2})rotate(-90)" font-weight="bold">${titles.seconds}</text>
</g>
<g text-anchor="end">
${shown.map((tick) => `<text x="-6" y="${y(tick)}" dy="4">${tick}</text>`).join("")}
</g>
<g>
<text x="${width + 20}" y="4" font-weight="bold">${titles.what}</text>
${lines.join("\n")}
</g>
</svg>
`;
}
