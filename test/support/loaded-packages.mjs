// Preloaded by tests: prints the packages that a process loads, those in chunks of dist by the comments of their modules.
import Module, { register } from "node:module";
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const printed = new Set();
/** Each name once for each thread: a pipe that is full would refuse more. */
function print(name) {
  if (!printed.has(name)) writeSync(2, `LOADED ${name}\n`);
  printed.add(name);
}
const inPath = /node_modules.((?:@[^/\\]+.)?[^/\\]+)/;

if (isMainThread) {
  register(import.meta.url);
  process.on("exit", () =>
    Object.keys(Module._cache).forEach((file) => print(inPath.exec(file)?.[1])),
  );
}

/** A hook of Node for modules that are imported. */
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (url.includes("/dist/"))
    for (const [, name] of String(loaded.source).matchAll(
      /^\/\/ node_modules.((?:@[^/\\]+.)?[^/\\]+)/gm,
    ))
      print(name);
  return loaded;
}
