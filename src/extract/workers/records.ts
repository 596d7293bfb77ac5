import type { LakeStore, RawBody, Round, Unit } from "../../lake/index.js";
import { ExportError } from "../../platform/index.js";
import type { ExportedExperiment } from "../checkpoint.js";
import type { Opening } from "../read/index.js";

/** What a worker has read and moved into the lake. */
export interface Kept {
  readonly units: readonly Unit[];
  /** The kept bodies of the units. */
  readonly raw: readonly RawBody[];
}

export type KeptExperiment = Kept & ExportedExperiment;
export type KeptOpening = Kept & Opening;

export const openingKey = ({ folder }: Round) => `${folder}/opening.json`;
export const projectKey = ({ folder }: Round) => `${folder}/project.json`;
export const keyOfExperiment = ({ folder }: Round, id: string) => `${folder}/experiments/${id}.json`;
/** The folders whose locks are those of the opening and of a share. */
export const openingLock = ({ folder }: Round) => `${folder}/shares/opening`;
export const shareLock = ({ folder }: Round, worker: number) => `${folder}/shares/${worker}`;

/** The experiments that are in the lake. */
export async function experimentsIn(store: LakeStore, { folder }: Round): Promise<ReadonlySet<string>> {
  const names = await store.list(`${folder}/experiments`);
  return new Set(names.map((name) => name.slice(0, -".json".length)));
}

const wholeFolder = ({ folder }: Round) => `${folder}/whole`;
export const wholeKey = (round: Round, worker: number) => `${wholeFolder(round)}/${worker}`;

/** The numbers of the workers whose shares are in the lake. */
export const wholeShares = async (store: LakeStore, round: Round): Promise<number[]> =>
  (await store.list(wholeFolder(round))).map(Number);

export async function readOpeningOf(store: LakeStore, round: Round): Promise<KeptOpening | null> {
  const text = await store.read(openingKey(round));
  if (text === null) return null;
  const kept = JSON.parse(text) as Kept & Pick<Opening, "chosen">;
  const [list, ...published] = kept.units as [Unit, ...Unit[]];
  return { ...kept, list, published };
}

/** @throws ExportError if it is gone */
export async function readKept<T extends Kept>(store: LakeStore, key: string): Promise<T> {
  const text = await store.read(key);
  if (text !== null) return JSON.parse(text) as T;
  throw new ExportError(`${store.locate(key)} is gone: start another round with --round. Nothing was published.`);
}
