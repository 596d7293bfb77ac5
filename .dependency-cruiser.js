import { readdirSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";

const root = import.meta.dirname;

/** docs/explanation/design.md, "Layers": a file imports lower layers or its own folder. */
const layers = {
  commands: 8,
  library: 8,
  pipeline: 7,
  report: 6,
  changes: 5,
  extract: 4,
  audit: 4,
  warehouse: 3,
  lake: 2,
  client: 2,
  metrics: 2,
  contract: 1,
  yaml: 1,
  platform: 0,
};

/** What the core can do without: it finds these folders in src/packs.ts and imports none. They do not import each other. */
const packs = ["emulator", "import", "mcp", "objects", "schedule", "spark", "statistics"];

/** The rooms of src/audit, in the order of its stages. */
const auditRooms = ["read", "recompute", "compare", "explain", "judge", "tell", "bundle"];

/** Every folder of src that has an index.ts, such as src/audit. */
const rooms = readdirSync(resolve(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name === "index.ts")
  .map((entry) => relative(root, resolve(entry.parentPath, entry.name)).split(sep).join("/"))
  .map(dirname)
  .filter((room) => room !== "src")
  .toSorted();

/** Rules that some folders do not keep yet: rule to folders. To be emptied. */
const unfinished = {};
const excepted = (rule) =>
  unfinished[rule] === undefined ? [] : [`^(?:${unfinished[rule].join("|")})`];

const folders = Object.entries(layers);
const known = `^src/(?:(?:cli|index|packs)\\.ts$|(?:${[...Object.keys(layers), ...packs].join("|")})/)`;
const notBelow = (name, layer) =>
  folders.filter(([other, its]) => other !== name && its >= layer).map(([other]) => other);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycle",
      comment: "Files do not import each other in a circle, types included.",
      severity: "error",
      from: { pathNot: excepted("no-cycle") },
      // What src/packs.ts names is loaded when it is asked for, and may use what asks.
      to: { circular: true, viaOnly: { pathNot: "^src/packs\\.ts$" } },
    },
    {
      name: "folder-has-layer",
      comment: "Every folder of src has a layer in .dependency-cruiser.js.",
      severity: "error",
      from: { path: "^src/", pathNot: known },
      to: {},
    },
    {
      name: "layer-of-import",
      comment: "Every folder of src has a layer in .dependency-cruiser.js.",
      severity: "error",
      from: {},
      to: { path: "^src/", pathNot: known },
    },
    ...folders.map(([name, layer]) => ({
      name: `layer-${name}`,
      comment: `src/${name}/ (layer ${layer}) imports lower layers only.`,
      severity: "error",
      from: { path: `^src/${name}/` },
      to: { path: `^src/(?:(?:cli|index)\\.ts$|(?:${notBelow(name, layer).join("|")})/)` },
    })),
    {
      name: "core-without-packs",
      comment: "The core finds packs in src/packs.ts only, so that it works without any of them.",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(?:packs\\.ts$|(?:${packs.join("|")})/)` },
      to: { path: `^src/(?:${packs.join("|")})/` },
    },
    ...packs.map((name) => ({
      name: `pack-${name}`,
      comment: `src/${name}/ imports no other pack.`,
      severity: "error",
      from: { path: `^src/${name}/` },
      to: {
        path: `^src/(?:cli\\.ts$|index\\.ts$|(?:${packs.filter((other) => other !== name).join("|")})/)`,
      },
    })),
    {
      name: "independent-emulator",
      comment:
        "The emulator scores with its own arithmetic, so that an audit against it compares two computations.",
      severity: "error",
      from: { path: "^src/emulator/" },
      to: { path: "^(?:src/(?:metrics|warehouse)|sql)/" },
    },
    ...auditRooms.map((room, place) => ({
      name: `audit-${room}`,
      comment: `src/audit/${room}/ imports result.ts and the rooms before it only; a bundle repeats an audit.`,
      severity: "error",
      from: { path: `^src/audit/${room}/` },
      to: {
        path: "^src/audit/",
        pathNot: [
          `^src/audit/(?:result\\.ts$|(?:${auditRooms.slice(0, place + 1).join("|")})/)`,
          ...(room === "bundle" ? ["^src/audit/(?:audit|lake)\\.ts$"] : []),
        ],
      },
    })),
    {
      name: "audit-result",
      comment: "src/audit/result.ts passes between the rooms, and imports none of them.",
      severity: "error",
      from: { path: "^src/audit/result\\.ts$" },
      to: { path: "^src/audit/" },
    },
    ...rooms.map((room) => ({
      name: `index-${room.slice("src/".length)}`,
      comment: `Other folders import ${room}/ through its index.ts, but for the library, whose types need no types of Node.`,
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [
          "^src/(?:cli|index|packs)\\.ts$",
          `^${room}/`,
          ...excepted(`index-${room.slice("src/".length)}`),
        ],
      },
      to: { path: `^${room}/`, pathNot: `^${room}/index\\.ts$` },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    includeOnly: "^src/",
  },
};
