import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

const src = resolve(import.meta.dirname, "../../src");

/** A text that the source can print, with a gap for each value. */
export interface Template {
  readonly file: string;
  readonly text: string;
  /** Matches every text made from it. */
  readonly pattern: RegExp;
}

/** Texts of at least two words in the sources of `paths` (files or folders of src/), SQL and type names excepted. */
export function templatesIn(paths: readonly string[]): Template[] {
  const files = paths.flatMap((path) =>
    path.endsWith(".ts")
      ? [path]
      : readdirSync(join(src, path), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".ts"))
          .map((name) => join(path, name)),
  );
  return files.flatMap((file) => templatesOf(file, readFileSync(join(src, file), "utf8")));
}

export function templatesOf(file: string, source: string): Template[] {
  const found: Template[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    const parts = ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
      : ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
        ? [node.text]
        : [];
    if (parts.some((part) => /[a-z],? [a-z]|[a-z] $|^,? [a-z]/i.test(part)) && !parts.some((part) => /\n/.test(part)))
      found.push({
        file,
        text: parts.join("…"),
        pattern: new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*?")),
      });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return found;
}

/** The templates of which none of the texts is made. */
export function unsaid(templates: readonly Template[], texts: readonly string[]): string[] {
  const all = texts.join("\n\n");
  return templates.filter(({ pattern }) => !pattern.test(all)).map(({ file, text }) => `${file}: ${text}`);
}
