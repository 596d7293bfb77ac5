import { fsp } from "../../platform/index.js";
import { refused, type Contents, type UploadLimits } from "./archive.js";
import { named, type Named } from "./media.js";

const maxTextBytes = 16 * 1024 ** 2;

/** Reads a text file with one address per line; its last folder is the source, its file the condition. */
export async function readAddresses(path: string, fileBytes: number, limits: UploadLimits): Promise<Contents> {
  if (fileBytes > maxTextBytes)
    return refused(`The list of addresses has ${fileBytes} bytes; at most ${maxTextBytes} are read.`);
  const lines = (await fsp.readFile(path, "utf8")).split(/\r?\n/).map((line) => line.trim());
  const addresses = lines.map((line, index) => ({ line, number: index + 1 })).filter(({ line }) => line !== "");
  if (addresses.length === 0) return refused("The file holds no addresses.");
  if (addresses.length > limits.entries)
    return refused(`The file has ${addresses.length} addresses; at most ${limits.entries} are read.`);
  const wrong = addresses.filter(({ line }) => !isAddress(line));
  if (wrong.length > 0)
    return refused(...wrong.slice(0, 20).map(({ number }) => `Line ${number} is not an http or https address.`));
  const stimuli = addresses.map(({ line }) => nameOf(line));
  const seen = new Set<string>();
  const doubled = stimuli.find(({ source, condition }) => seen.size === seen.add(`${source}/${condition}`).size);
  return doubled === undefined
    ? { stimuli, errors: [] }
    : refused(`${doubled.source}/${doubled.condition}: the name is used twice.`);
}

const isAddress = (line: string): boolean =>
  line.length <= 4096 && URL.canParse(line) && /^https?:$/.test(new URL(line).protocol);

function nameOf(line: string): Named {
  const parts = new URL(line).pathname.split("/").filter((part) => part !== "");
  return named(parts.slice(-2).join("/")) ?? { source: "", condition: line, is_reference: false };
}
