// Preloaded into a real `recount` process. Counts its file operations under FILES_UNDER, or only those whose "name path"
// matches the regular expression FILES_ON, and acts at operation number FILES_AT. FILES_DO says how: `kill` kills the
// process, `hold` creates the file FILES_HOLD and waits until it is removed, a signal is sent to the process, and with an
// error code this operation and all later ones fail.
import { createRequire, syncBuiltinESMExports } from "node:module";

const require = createRequire(import.meta.url);
const [fs, fsp] = [require("node:fs"), require("node:fs/promises")];
const { existsSync, linkSync, mkdirSync, renameSync, openSync, fsync } = fs;
const { appendFileSync, writeFileSync } = fs;
const {
  FILES_UNDER = "/",
  FILES_ON = "",
  FILES_AT = "0",
  FILES_DO = "kill",
  FILES_LOG,
  FILES_HOLD = "",
} = process.env;
let count = 0;

function step(name, path) {
  if (!String(path).startsWith(FILES_UNDER)) return;
  const line = `${name} ${String(path).slice(FILES_UNDER.length)}`;
  if (!new RegExp(FILES_ON).test(line)) return;
  count += 1;
  if (FILES_LOG) appendFileSync(FILES_LOG, `${line}\n`);
  if (FILES_AT === "0" || count < Number(FILES_AT)) return;
  if (FILES_DO === "kill") process.kill(process.pid, "SIGKILL");
  else if (FILES_DO === "hold") {
    if (count !== Number(FILES_AT)) return;
    writeFileSync(FILES_HOLD, "");
    while (existsSync(FILES_HOLD)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  } else if (FILES_DO.startsWith("E"))
    throw Object.assign(new Error(`${FILES_DO}: planted, ${name} '${path}'`), { code: FILES_DO });
  else if (count === Number(FILES_AT)) {
    process.kill(process.pid, FILES_DO);
    // Pending signals of one kind merge, so the second is sent once the first has been handled.
    if (process.env.FILES_TWICE) process.once(FILES_DO, () => process.kill(process.pid, FILES_DO));
  }
}

for (const name of ["rename", "link", ...(FILES_DO.startsWith("E") ? [] : ["rm", "unlink"])]) {
  const own = fsp[name];
  fsp[name] = async (path, ...rest) => {
    step(name, path);
    return own(path, ...rest);
  };
}

/** Paths of the files that are open for syncing. */
const opened = new Map();
fs.renameSync = (from, to) => {
  step("rename", from);
  renameSync(from, to);
};
fs.linkSync = (from, to) => {
  step("link", from);
  linkSync(from, to);
};
fs.mkdirSync = (path, ...rest) => {
  step("mkdir", path);
  return mkdirSync(path, ...rest);
};
const writers = { writeFileSync, appendFileSync };
for (const [name, own] of Object.entries(writers))
  fs[name] = (path, ...rest) => {
    step("create", path);
    step("writeFile", path);
    own(path, ...rest);
  };
fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest);
  opened.set(file, path);
  return file;
};
fs.fsync = (file, done) => {
  try {
    step("sync", opened.get(file));
  } catch (error) {
    done(error);
    return;
  }
  fsync(file, done);
};

const open = fsp.open;
fsp.open = async (path, flags, ...rest) => {
  if (flags !== "r" && flags !== undefined) step("create", path);
  const handle = await open(path, flags, ...rest);
  for (const name of ["sync", "writeFile", "write"]) {
    const own = handle[name].bind(handle);
    handle[name] = async (...args) => {
      step(name, path);
      return own(...args);
    };
  }
  return handle;
};
syncBuiltinESMExports();
