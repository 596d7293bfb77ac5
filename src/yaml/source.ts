/** A YAML document with the line of each value. */
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import { UsageError, type ValuePath } from "../platform/index.js";

export interface YamlSource {
  readonly file: string;
  readonly document: Document.Parsed;
  lineOfNode(node: Node | null | undefined): number;
  lineOf(path: ValuePath, key?: string): number;
}

/** @throws UsageError for YAML that is nested too deeply or has too many aliases */
export function parsedYaml<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error;
    const what = error.name === "RangeError" ? "it is nested too deeply" : error.message;
    throw new UsageError(`${file}: ${what}. Write the values out, at most a few levels deep.`, {
      cause: error,
    });
  }
}

/** @throws UsageError naming file, line and column of the first mistake */
export function yamlSource(file: string, text: string): YamlSource {
  const lines = new LineCounter();
  const document = parsedYaml(file, () =>
    parseDocument(text, { lineCounter: lines, prettyErrors: false }),
  );
  const [mistake] = document.errors;
  if (mistake) {
    const { line, col } = lines.linePos(mistake.pos[0]);
    throw new UsageError(
      `${file}, line ${line}, column ${col}: not valid YAML: ` +
        (mistake.message.split("\n")[0] ?? ""),
    );
  }
  const lineOfNode = (node: Node | null | undefined) =>
    node?.range ? lines.linePos(node.range[0]).line : 1;
  return {
    file,
    document,
    lineOfNode,
    lineOf(path, key) {
      const found = path.length === 0 ? document.contents : document.getIn(path, true);
      const node = isNode(found) ? found : undefined;
      if (key === undefined || !isMap(node)) return lineOfNode(node);
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      return lineOfNode(pair && isNode(pair.key) ? pair.key : node);
    },
  };
}
