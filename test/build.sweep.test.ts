import { execFileSync } from "node:child_process";
import { cpSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTests } from "./support/folder.js";
import { root } from "./support/root.js";

it("the build is made again only if something changed, or the last one did not end", () => {
  const copy = folderOfTests("recount-build");
  for (const name of ["tools", "package.json", "package-lock.json", "src"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const build = () => {
    execFileSync(process.execPath, ["tools/build.js"], { cwd: copy });
    return statSync(join(copy, "dist/cli.js")).ino;
  };
  const first = build();
  expect(build()).toBe(first);
  const changes = [
    () => utimesSync(join(copy, "src/cli.ts"), new Date(), new Date(Date.now() + 1)),
    () => writeFileSync(join(copy, "src/added.ts"), "export const added = 1;\n"),
    () => rmSync(join(copy, "src/added.ts")),
    () => rmSync(join(copy, "dist/.built")),
  ];
  for (const change of changes) {
    const cli = join(copy, "dist/cli.js");
    change();
    utimesSync(cli, new Date(0), new Date(0));
    build();
    expect(statSync(cli).mtimeMs).toBeGreaterThan(0);
  }
});
