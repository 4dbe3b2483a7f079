/** What the searches for the pairs of a query share (search-pair.ts). */
import { createNearest, type Nearest } from '../bvh/nearest-parts.ts';
import { createWalk, type Walk } from '../bvh/walk.ts';
import { vec3, type Vec3 } from '../cpu/math.ts';
import type { AskedQuery } from '../request/backend.ts';
import { createDeepestContact, type FindDeepest } from './deepest-contact.ts';
import type { KnownAnswer } from './known-answer.ts';
import { lastParts } from './last-parts.ts';
import type { DepthBounds, PartDistances, PartPlaces } from './part-geometry.ts';

export interface SearchState extends Readonly<AskedQuery> {
  /** Whether all pairs of parts that hit are listed. */
  readonly listsParts: boolean;
  /** The bodies of the present pair. */
  readonly places: PartPlaces;
  readonly walk: Walk;
  readonly distances: PartDistances;
  /** For lists of parts. */
  readonly bounds: DepthBounds | undefined;
  /** For the contact of a pair with a surface. */
  readonly findDeepest: FindDeepest | undefined;
  readonly nearest: Nearest;
  /** Of two parts. */
  readonly direction: Vec3;
  /** The nearest parts that are farther apart than the margin. */
  readonly far: { distance: number; normal: Vec3 };
  /** For warm starts: the parts that decided each pair last time. */
  readonly last: Int32Array | undefined;
}

export function createSearchState({ what, over }: AskedQuery, listsParts: boolean, places: PartPlaces): SearchState {
  const { pairs, warmStart } = over;
  const { geometry } = places;
  const walk = createWalk();
  return {
    what,
    over,
    listsParts,
    places,
    walk,
    distances: geometry.createDistances(places),
    bounds: listsParts ? geometry.createDepthBounds(places) : undefined,
    findDeepest: what.query === 'contacts' && !listsParts ? createDeepestContact(what, places, walk) : undefined,
    nearest: createNearest(),
    direction: vec3(),
    far: { distance: Infinity, normal: vec3() },
    last: warmStart && !listsParts ? lastParts(warmStart, pairs.length / 2) : undefined,
  };
}

export function setParts(to: KnownAnswer, partA: number, partB: number): void {
  to.partA = partA;
  to.partB = partB;
}

/** Whether a body may have a surface: the deepest contact is then searched on the CPU. */
export function mayHaveSurface({ a, b, geometry: { surface } }: PartPlaces): boolean {
  return surface.isSurface(a.shape) || surface.isSurface(b.shape);
}
