import type { Entry, LakeStore, Tree } from "./store.js";

/** What is below a folder, of a store that lists one folder at a time. */
export async function readTree(
  store: Pick<LakeStore, "entries">,
  root: string,
  ignored: readonly string[],
): Promise<Tree> {
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

/** The chosen entries of a folder, and everything below them. */
export async function entriesOf(
  store: LakeStore,
  folder: string,
  isChosen: (name: string) => boolean,
): Promise<Entry[]> {
  const own = (await store.entries(folder)).filter(({ name }) => isChosen(name));
  const folders = own.filter(({ kind }) => kind === "folder");
  const below = await Promise.all(folders.map(({ name }) => store.tree(`${folder}/${name}`, [])));
  return [...own, ...below.flatMap((tree) => [...tree.values()])];
}
