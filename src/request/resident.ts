/** Resident bodies: the state behind the handles of `createBodies`. */
import { invalidInput, NarrowphaseError } from '../api/errors.ts';
import type { ResidentBodies } from '../api/bodies.ts';
import type { AnyBodies, AnyVelocities } from '../records/bodies.ts';
import { createKeptTrees, dropTrees, type KeptTrees } from './kept-trees.ts';

/** Bodies by position and rotation, with or without velocities. */
export type ResidentArrays = AnyBodies & Partial<AnyVelocities>;

export interface ResidentState {
  /**
   * Arrays that belong to the handle. A write puts its numbers into them, or puts others in their place if queries that
   * were called before still read them.
   */
  arrays: ResidentArrays;
  /** How often each array was written. Each write puts another map in its place. */
  writes: ReadonlyMap<string, number>;
  /** How often bodies, and velocities, were written. */
  bodiesVersion: number;
  motionVersion: number;
  /** The version of the shape table that the shapes were last checked against. */
  shapesVersion: number;
  /** Queries in progress that read the arrays, or what backends hold of them. */
  readers: number;
  isDisposed: boolean;
  /** The trees over the bodies. */
  readonly trees: KeptTrees;
  /** Frees what backends hold of the bodies. */
  readonly onFree: Set<(state: ResidentState) => void>;
}

/** The bodies of a query, as they were when it was called. */
export interface ResidentVersion extends Readonly<Pick<ResidentState, 'writes' | 'bodiesVersion' | 'motionVersion'>> {
  readonly state: ResidentState;
}

const NO_ARRAYS = { shapes: new Uint32Array(0), positions: new Float32Array(0) } as unknown as ResidentArrays;

/** The state of a handle that nothing was written to. */
export function makeResidentState(): ResidentState {
  return {
    arrays: NO_ARRAYS,
    writes: new Map(),
    bodiesVersion: 0,
    motionVersion: 0,
    shapesVersion: -1,
    readers: 0,
    isDisposed: false,
    trees: createKeptTrees(),
    onFree: new Set(),
  };
}

/** The version that a query reads if it is called now. */
export function versionOf(state: ResidentState): ResidentVersion {
  const { writes, bodiesVersion, motionVersion } = state;
  return { state, writes, bodiesVersion, motionVersion };
}

/** Keeps the bodies' memory as it is until the query that reads them calls the returned function. */
export function holdResident(state: ResidentState): () => void {
  state.readers++;
  return () => {
    state.readers--;
    freeUnused(state);
  };
}

/** Refuses the handle from now on. Its memory is freed as soon as no query reads it. */
export function disposeResident(state: ResidentState): void {
  state.isDisposed = true;
  freeUnused(state);
}

function freeUnused(state: ResidentState): void {
  if (!state.isDisposed || state.readers > 0) return;
  state.arrays = NO_ARRAYS;
  dropTrees(state.trees);
  for (const free of state.onFree) free(state);
}

const states = new WeakMap<object, { state: ResidentState; owner: object }>();

/** Makes the state known as that of the handle, which `owner` made. */
export function registerResident(handle: ResidentBodies, state: ResidentState, owner: object): void {
  states.set(handle, { state, owner });
}

/**
 * The state behind `bodies` if they are a handle. Throws `INVALID_INPUT` for a handle of another owner, and `DISPOSED`
 * for one that was disposed.
 */
export function residentState(field: string, bodies: unknown, owner: object): ResidentState | undefined {
  const known = typeof bodies === 'object' && bodies !== null ? states.get(bodies) : undefined;
  if (!known) return undefined;
  if (known.owner !== owner) invalidInput(field, bodies, 'bodies that createBodies of this tester gave');
  ensureResident(field, known.state);
  return known.state;
}

/** Throws `DISPOSED` if the handle was disposed. */
export function ensureResident(field: string, { isDisposed }: ResidentState): void {
  if (isDisposed) throw new NarrowphaseError('DISPOSED', `${field} were disposed`);
}
