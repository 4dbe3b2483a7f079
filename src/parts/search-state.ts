/** What the searches for the pairs of a query share (search-pair.ts). */
import { createNearest, type Nearest } from '../bvh/nearest-parts.ts';
import { createWalk, type Walk } from '../bvh/walk.ts';
import { vec3, type Vec3 } from '../cpu/math.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import type { AskedQuery } from '../request/backend.ts';
import { createDepthBounds, type DepthBounds } from './depth-bounds.ts';
import { createBodyPlane, type BodyPlane } from './halfspace-parts.ts';
import { createDeepestContact, type FindDeepest } from './deepest-contact.ts';
import type { KnownAnswer } from './known-answer.ts';
import { lastParts } from './last-parts.ts';
import { hasSurface } from './surface/leading-surface.ts';
import { createPartDistances, type PartDistances } from './part-distances.ts';

export interface SearchState extends Readonly<AskedQuery> {
  /** Whether all pairs of parts that hit are listed. */
  readonly listsParts: boolean;
  /** The bodies of the present pair. */
  readonly places: PairPlaces;
  readonly walk: Walk;
  readonly distances: PartDistances;
  /** For lists of parts. */
  readonly bounds: DepthBounds | undefined;
  /** For the contact of a pair with a mesh. */
  readonly findDeepest: FindDeepest | undefined;
  /** Whether parts whose boxes meet are measured, so that the backend gets fewer. */
  readonly measuresParts: boolean;
  readonly nearest: Nearest;
  /** The half-space of the present pair. */
  readonly plane: BodyPlane;
  /** Of two parts. */
  readonly direction: Vec3;
  /** The nearest parts that are farther apart than the margin. */
  readonly far: { distance: number; normal: Vec3 };
  /** For warm starts: the parts that decided each pair last time. */
  readonly last: Int32Array | undefined;
}

export function createSearchState(
  { what, over }: AskedQuery,
  listsParts: boolean,
  places: PairPlaces,
  measuresParts: boolean,
): SearchState {
  const { pairs, warmStart } = over;
  const walk = createWalk();
  return {
    what,
    over,
    listsParts,
    places,
    walk,
    distances: createPartDistances(places),
    bounds: listsParts ? createDepthBounds(places) : undefined,
    findDeepest: what.query === 'contacts' && !listsParts ? createDeepestContact(what, places, walk) : undefined,
    measuresParts,
    nearest: createNearest(),
    plane: createBodyPlane(),
    direction: vec3(),
    far: { distance: Infinity, normal: vec3() },
    last: warmStart && !listsParts ? lastParts(warmStart, pairs.length / 2) : undefined,
  };
}

export function setParts(to: KnownAnswer, partA: number, partB: number): void {
  to.partA = partA;
  to.partB = partB;
}

/** Whether the deepest contact of the bodies at the places is searched. */
export function needsDeepest(places: PairPlaces): boolean {
  return hasMesh(places) || hasSurface(places);
}

export function hasMesh({ a, b }: PairPlaces): boolean {
  return a.shape.parts?.type === 'mesh' || b.shape.parts?.type === 'mesh';
}

export function areMeshes({ a, b }: PairPlaces): boolean {
  return a.shape.parts?.type === 'mesh' && b.shape.parts?.type === 'mesh';
}
