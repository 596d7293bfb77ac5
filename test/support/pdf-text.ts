import { inflateSync } from "node:zlib";

/** The objects of a PDF as Chromium writes it, by number: the dictionary, and the unpacked stream if there is one. */
function objectsOf(pdf: Buffer): Map<string, { head: string; stream: string }> {
  const text = pdf.toString("latin1");
  return new Map(
    [...text.matchAll(/^(\d+) 0 obj\n/gm)].map(({ index, 0: start, 1: number = "" }) => {
      const from = index + start.length;
      const [body = ""] = text.slice(from).split(/\nendobj\n/, 1);
      const [head = "", packed] = body.split(/\bstream\n/, 2);
      const bytes =
        packed === undefined ? undefined : pdf.subarray(from + head.length + "stream\n".length);
      const stream =
        bytes !== undefined && head.includes("/FlateDecode")
          ? inflateSync(bytes).toString("latin1")
          : "";
      return [number, { head, stream }];
    }),
  );
}

/** Glyph to character, from the table that a font has for readers: `<0003> <0020>`, or a range of them. */
function charactersOf(table: string): Map<string, string> {
  const character = (code: number) => String.fromCodePoint(code);
  const codes = new Map<string, string>();
  const put = (glyph: number, code: number) =>
    codes.set(glyph.toString(16).padStart(4, "0").toUpperCase(), character(code));
  for (const [, lines = ""] of table.matchAll(/beginbfchar\n([^]*?)endbfchar/g))
    for (const [, glyph = "", code = ""] of lines.matchAll(/<(\w{4})> <(\w{4})>/g))
      put(parseInt(glyph, 16), parseInt(code, 16));
  for (const [, lines = ""] of table.matchAll(/beginbfrange\n([^]*?)endbfrange/g))
    for (const [, first = "", last = "", code = ""] of lines.matchAll(
      /<(\w{4})> <(\w{4})> <(\w{4})>/g,
    ))
      for (let glyph = parseInt(first, 16); glyph <= parseInt(last, 16); glyph++)
        put(glyph, parseInt(code, 16) + glyph - parseInt(first, 16));
  return codes;
}

export function readPdf(pdf: Buffer): { readonly pages: number; readonly text: string } {
  const objects = objectsOf(pdf);
  const all = [...objects.entries()];
  const fonts = new Map<string, ReadonlyMap<string, string>>(
    all.flatMap(([number, { head }]) => {
      const table = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1];
      return table === undefined
        ? []
        : [[`F${number}`, charactersOf(objects.get(table)?.stream ?? "")] as const];
    }),
  );
  const texts = all.map(([, { stream }]) => {
    let font: ReadonlyMap<string, string> | undefined;
    const pieces = [...stream.matchAll(/\/(F\d+) [\d.]+ Tf|<([\dA-F]+)> Tj/g)].map(
      ([, name, glyphs = ""]) => {
        if (name !== undefined) font = fonts.get(name);
        return (glyphs.match(/.{4}/g) ?? []).map((glyph) => font?.get(glyph) ?? "").join("");
      },
    );
    return pieces.join("");
  });
  return {
    pages: all.filter(([, { head }]) => /\/Type \/Page\b/.test(head)).length,
    text: texts.join("\n"),
  };
}
