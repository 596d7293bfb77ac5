import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type Browser, type LaunchOptions } from "playwright-core";
import { root } from "./root.js";

const cache = join(root, "node_modules/.cache/recount-chromium-138");

/** A file of the packages of site/package.json, which `npm ci` does not install. */
export function siteFile(path: string): string {
  const file = join(root, "site/node_modules", path);
  if (!existsSync(file)) throw new Error(`Run npm run site:install: no ${file}.`);
  return file;
}

/** The variables under which the package unpacks the browser into a folder, with the libraries that a bare system lacks. */
async function unpackedTo(folder: string): Promise<void> {
  const { TMPDIR, AWS_EXECUTION_ENV } = process.env;
  Object.assign(process.env, { TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" });
  const restored = {
    LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH,
    FONTCONFIG_PATH: process.env.FONTCONFIG_PATH,
  };
  try {
    const { default: packed } = (await import(
      siteFile("@sparticuz/chromium/build/esm/index.js")
    )) as { default: { executablePath(): unknown } };
    await packed.executablePath();
  } finally {
    for (const [name, value] of Object.entries({ TMPDIR, AWS_EXECUTION_ENV, ...restored }))
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
  }
}

/** The path of Chromium: of CHROME_PATH, otherwise the one of site/package.json, unpacked once. */
async function chromiumPath(): Promise<string> {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  if (!existsSync(cache)) {
    const folder = `${cache}.${process.pid}`;
    await mkdir(folder, { recursive: true });
    await unpackedTo(folder);
    await rename(folder, cache).catch(() => rm(folder, { recursive: true, force: true }));
  }
  return join(cache, "chromium");
}

/** Starts Chromium. A machine on which it does not start fails its tests: they never pass without a browser. */
export async function startBrowser(): Promise<Browser> {
  const options: LaunchOptions = {
    executablePath: await chromiumPath(),
    args: ["--headless=shell", "--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  };
  const libraries = [process.env.LD_LIBRARY_PATH, join(cache, "al2023", "lib")]
    .filter(Boolean)
    .join(":");
  return chromium.launch(options).catch((first: unknown) =>
    chromium
      .launch({ ...options, env: { ...process.env, LD_LIBRARY_PATH: libraries } })
      .catch(() => {
        const said =
          first instanceof Error
            ? (first.message.split("\n").find((line) => /error/i.test(line)) ?? "")
            : "";
        throw new Error(
          `Chromium does not start on this machine, so the report was not tested: ${said}. Install its libraries, or name a browser with CHROME_PATH.`,
          { cause: first },
        );
      }),
  );
}
