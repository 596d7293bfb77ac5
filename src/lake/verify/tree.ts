import type { Entry, LakeStore } from "../store.js";

/** Everything below a folder, by path within it. */
export type Tree = ReadonlyMap<string, Entry>;

/** @param ignored folders whose content is not looked at */
export async function readTree(store: LakeStore, root: string, ignored: readonly string[]): Promise<Tree> {
  const tree = new Map<string, Entry>();
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await store.entries(folder === "" ? root : `${root}/${folder}`)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      tree.set(path, entry);
      if (entry.kind === "folder" && !ignored.includes(path)) await visit(path);
    }
  };
  await visit("");
  return tree;
}
