import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { inFolder, medianOf, recount, runNode, type Used } from "./whole-process.js";

const here = import.meta.dirname;

const mapping = `study: { id: bench }
files: { scores: scores.csv }
ratings: { from: scores, rater: rater, session: session, item: item, score: score }
`;

/** An import of scores, and a bare `read_csv` → `COPY` of the same file: medians of some rounds, in turn. */
export async function measureImport(
  rows: number,
  rounds: number,
): Promise<{ own: Used | null; bare: Used | null }> {
  return inFolder(async (folder) => {
    const csv = join(folder, "scores.csv");
    const file = createWriteStream(csv);
    file.write("rater,session,item,score\n");
    for (let from = 0; from < rows; from += 10_000) {
      const lines = Array.from({ length: Math.min(10_000, rows - from) }, (_, i) => {
        const n = from + i;
        return `rater${Math.floor(n / 40) % 5000},s${Math.floor(n / 40)},item-${(n * 7) % 50},${(n * 13) % 101}\n`;
      });
      file.write(lines.join(""));
    }
    file.end();
    await finished(file);
    await writeFile(join(folder, "m.yaml"), mapping);
    const [own, bare]: [Used[], Used[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare.push(
        await runNode([join(here, "bare-copy.js"), csv, join(folder, `${round}.parquet`)], folder),
      );
      const lake = join(folder, `lake${round}`);
      own.push(
        await runNode(
          [recount, "import", join(folder, "m.yaml"), "--lake", lake, "--quiet"],
          folder,
        ),
      );
    }
    return { own: medianOf(own), bare: medianOf(bare) };
  });
}
