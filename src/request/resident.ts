/** Bodies that stay with a tester: the state behind the handles of `createBodies`. */
import { invalidInput, NarrowphaseError } from '../api/errors.ts';
import type { ResidentBodies } from '../api/bodies.ts';
import type { AnyBodies, AnyVelocities } from '../records/bodies.ts';

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
  /** Of the bodies' angular velocities, in radians per second. */
  greatestSpeed: number;
  /** Queries in progress that read the arrays. */
  readers: number;
  isDisposed: boolean;
  /** Frees what backends hold of the bodies. */
  readonly onDispose: Set<() => void>;
}

/** The bodies of a query, as they were when it was called. */
export interface ResidentVersion {
  state: ResidentState;
  bodiesVersion: number;
  motionVersion: number;
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
