import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const docs = join(root, "docs");

/** The navigation: the folders of docs/, with the pages that come first. The others follow by name. */
const kinds = [
  { folder: "tutorials", text: "Tutorials", first: ["first-audit", "your-service", "leaderboard"] },
  {
    folder: "how-to",
    text: "How-to guides",
    first: ["installation", "report", "import", "nights", "schedule"],
  },
  {
    folder: "reference",
    text: "Reference",
    first: ["cli", "pipelines", "exit-codes", "data-dictionary", "models"],
  },
  {
    folder: "explanation",
    text: "Explanation",
    first: ["design", "audit", "metrics", "statistics", "lake"],
  },
  { folder: "records", text: "Records", first: ["index"] },
];

function section({ folder, text, first }) {
  const present = readdirSync(join(docs, folder)).filter((name) => name.endsWith(".md"));
  const names = new Set([...first.map((name) => `${name}.md`), ...present.toSorted()]);
  const items = [...names].map((name) => ({
    text: /^# (.*)$/m.exec(readFileSync(join(docs, folder, name), "utf8"))?.[1] ?? name,
    link: `/${folder}/${name.replace(/\.md$/, "")}`,
  }));
  return { text, items };
}
const sidebar = kinds.map(section);

/** Files of the project that a page links to and that are not pages. The site has copies, which a browser shows as text. */
const linked = new Set();

/** Where the site has the file to which a link of a page leads, unless it leads to a page. */
function copyOf(page, href) {
  const path = href.replace(/#.*/, "");
  const target = relative(root, resolve(docs, dirname(page), path));
  if (path === "" || path.includes(":") || (target.startsWith("docs/") && target.endsWith(".md")))
    return null;
  if (!existsSync(join(root, target))) throw new Error(`${page}: ${href} does not exist.`);
  linked.add(target);
  return `/files/${target}.txt`;
}

/** The report itself, where GitHub shows its picture. */
const liveReport = (title) =>
  `<iframe src="../demo/report.html" title="${title}" style="width: 100%; height: 80vh; border: 1px solid var(--vp-c-divider)"></iframe>`;

/** @type {import("vitepress").UserConfig} */
export default {
  title: "Recount",
  description:
    "Export subjective studies and check their published metrics against the raw ratings.",
  lang: "en",
  srcDir: "../docs",
  outDir: "dist",
  cacheDir: "../node_modules/.cache/vitepress",
  vite: { publicDir: false },
  markdown: {
    html: false,
    config(md) {
      md.core.ruler.push("linked", ({ tokens, env: { relativePath = "" } }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const copy = copyOf(relativePath, token.attrGet("href") ?? "");
          if (copy !== null) token.attrSet("href", copy);
          if (token.attrGet("src") === "../report.png")
            Object.assign(token, { type: "html_inline", content: liveReport(token.content) });
        }
      });
    },
  },
  head: [
    [
      "style",
      {},
      ".VPNavBarSearchButton .keys { display: none } .vp-doc :not(pre) > code, .vp-doc a { overflow-wrap: anywhere }",
    ],
  ],
  themeConfig: {
    nav: sidebar.map(({ text, items }) => ({ text, link: items[0]?.link ?? "/" })),
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
  },
  /** The demo's report is the live example of docs/how-to/report.md. */
  buildEnd({ outDir }) {
    for (const file of linked) {
      mkdirSync(join(outDir, "files", dirname(file)), { recursive: true });
      copyFileSync(join(root, file), join(outDir, "files", `${file}.txt`));
    }
    const folder = mkdtempSync(join(tmpdir(), "recount-site-"));
    execFileSync(process.execPath, [join(root, "bin/recount.js"), "-q", "demo"], {
      cwd: folder,
      stdio: "inherit",
    });
    mkdirSync(join(outDir, "demo"));
    copyFileSync(join(folder, "recount-demo/report.html"), join(outDir, "demo/report.html"));
    rmSync(folder, { recursive: true });
  },
};
