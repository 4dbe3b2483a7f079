/**
 * The calls of other libraries that narrowphase is measured against: which query each answers, for which shapes, and
 * what it does. All are single-threaded. How each is called stands in the module of its peer.
 */

import type { ShapeDescription } from '../../../src/api/shapes.ts';
import type { PlanarOutline } from '../../../verification/workloads/workload.ts';
import type { Arrays } from '../protocol.ts';
import type { Query } from '../../../verification/workloads/query.ts';

export const PEERS = ['rapier', 'rapier2d', 'jolt', 'physx', 'three', 'cannon'] as const;
export type PeerName = (typeof PEERS)[number];

export interface PeerCall {
  /** `peer:call`. */
  id: string;
  peer: PeerName;
  /** As in the library's documentation. */
  call: string;
  query: Query;
  /** Other queries that it is measured against, of which it answers a part. */
  also?: readonly Query[];
  shapes: readonly ShapeType[];
  /** Default: `prepared`. */
  arrays?: Arrays;
  /** Workloads that it is measured on. Default: all. */
  only?: readonly string[];
  /** Default: as many as fit into a run's time. */
  mostPairs?: number;
  /** What a call does, and what of it is kept from one run to the next. */
  does: string;
}

type ShapeType = (ShapeDescription | PlanarOutline)['type'];

const CONVEX = ['sphere', 'capsule', 'box', 'hull'] as const;
const PLANAR = ['rectangle', 'polygon'] as const;
/** More rooms would lie so far out that single precision shows in the answers. */
const STEP_PAIRS = 16_384;
const KEEPS_NOTHING = 'Nothing is kept between calls.';

/** Calls on objects that were made beforehand. */
export const PREPARED_CALLS: readonly PeerCall[] = [
  {
    id: 'rapier:intersectsShape',
    peer: 'rapier',
    call: 'Shape.intersectsShape',
    query: 'intersects',
    shapes: CONVEX,
    does:
      'SAT for two boxes, GJK otherwise. Each call makes both shapes and poses anew in WebAssembly, hulls with ' +
      'their faces from points and indices, and frees them.',
  },
  {
    id: 'rapier:contactShape',
    peer: 'rapier',
    call: 'Shape.contactShape, prediction 0',
    query: 'contacts',
    // One point of a manifold.
    also: ['manifolds'],
    shapes: CONVEX,
    does: 'GJK and EPA: the deepest contact, or null for pairs apart. Shapes and poses as for intersectsShape.',
  },
  {
    id: 'rapier:contactShape-far',
    peer: 'rapier',
    call: 'Shape.contactShape, prediction 10',
    query: 'distances',
    shapes: CONVEX,
    does: 'The same for every pair, penetration of overlapping ones included.',
  },
  {
    id: 'rapier:raw-intersects',
    peer: 'rapier',
    call: 'RawShape.intersectsShape',
    query: 'intersects',
    shapes: CONVEX,
    does: 'What Shape.intersectsShape calls, on shapes and poses made once by the public intoRaw methods. Nothing is kept between calls.',
  },
  {
    id: 'rapier:contactCollider',
    peer: 'rapier',
    call: 'Collider.contactCollider, prediction 0',
    query: 'contacts',
    also: ['manifolds'],
    shapes: CONVEX,
    does: "What Shape.contactShape computes, on shapes and poses that are a world's colliders. Nothing is kept between calls.",
  },
  {
    id: 'rapier:contactCollider-far',
    peer: 'rapier',
    call: 'Collider.contactCollider, prediction 10',
    query: 'distances',
    shapes: CONVEX,
    does: 'The same for every pair, penetration of overlapping ones included.',
  },
  {
    id: 'rapier:step-moved',
    peer: 'rapier',
    call: 'World.step, every pose new',
    query: 'contacts',
    also: ['manifolds'],
    shapes: CONVEX,
    only: ['boxes', 'hull32'],
    mostPairs: STEP_PAIRS,
    does:
      'Broad phase and manifolds of bodies of which every one has turned since the step before: none of its ' +
      "caches' poses repeat. Each pair stands in a room of its own.",
  },
  {
    id: 'rapier:step-still',
    peer: 'rapier',
    call: 'World.step, every pose set again unchanged',
    query: 'contacts',
    shapes: CONVEX,
    only: ['boxes', 'hull32'],
    mostPairs: STEP_PAIRS,
    does:
      'The same with every pose set again as it was: all poses repeat, and manifolds are kept from the step ' +
      'before instead of computed.',
  },
  {
    id: 'rapier:castShape',
    peer: 'rapier',
    call: 'Shape.castShape, stopAtPenetration',
    query: 'impacts',
    shapes: CONVEX,
    does:
      'GJK ray cast; where rounding keeps its bounds from closing in it gives the time that it has come to. ' +
      'Besides the contact of pairs that meet within the first 1e-4 s, by GJK and EPA. Shapes, poses and ' +
      'velocities as for intersectsShape.',
  },
  {
    id: 'rapier:raw-cast',
    peer: 'rapier',
    call: 'RawShape.castShape, stopAtPenetration',
    query: 'impacts',
    shapes: CONVEX,
    does:
      'What Shape.castShape calls, on shapes, poses and velocities made once by the public intoRaw methods. ' +
      'Nothing is kept between calls.',
  },
  {
    id: 'rapier2d:intersectsShape',
    peer: 'rapier2d',
    call: 'Shape.intersectsShape',
    query: 'intersects',
    shapes: PLANAR,
    does:
      'As in space, each call with both shapes and poses anew: SAT for two rectangles, GJK otherwise. Polygons ' +
      'are told that their corners are those of a hull, in order.',
  },
  {
    id: 'rapier2d:contactShape',
    peer: 'rapier2d',
    call: 'Shape.contactShape, prediction 0',
    query: 'contacts',
    also: ['manifolds'],
    shapes: PLANAR,
    does: 'GJK and EPA: the deepest contact, or null for pairs apart. Shapes and poses as for intersectsShape.',
  },
  {
    id: 'rapier2d:contactShape-far',
    peer: 'rapier2d',
    call: 'Shape.contactShape, prediction 10',
    query: 'distances',
    shapes: PLANAR,
    does: 'The same for every pair, penetration of overlapping ones included.',
  },
  {
    id: 'rapier2d:raw-intersects',
    peer: 'rapier2d',
    call: 'RawShape.intersectsShape',
    query: 'intersects',
    shapes: PLANAR,
    does: 'What Shape.intersectsShape calls, on shapes and poses made once by the public intoRaw methods. Nothing is kept between calls.',
  },
  {
    id: 'rapier2d:contactCollider',
    peer: 'rapier2d',
    call: 'Collider.contactCollider, prediction 0',
    query: 'contacts',
    also: ['manifolds'],
    shapes: PLANAR,
    does: "What Shape.contactShape computes, on shapes and poses that are a world's colliders. Nothing is kept between calls.",
  },
  {
    id: 'rapier2d:contactCollider-far',
    peer: 'rapier2d',
    call: 'Collider.contactCollider, prediction 10',
    query: 'distances',
    shapes: PLANAR,
    does: 'The same for every pair, penetration of overlapping ones included.',
  },
  {
    id: 'jolt:OverlapsOrientedBox',
    peer: 'jolt',
    call: 'OrientedBox.OverlapsOrientedBox',
    query: 'intersects',
    shapes: ['box'],
    does: `SAT. ${KEEPS_NOTHING}`,
  },
  {
    id: 'jolt:CollideShape-any',
    peer: 'jolt',
    call: 'TransformedShape.CollideShape, any hit',
    query: 'intersects',
    shapes: CONVEX,
    does: `GJK and, as the binding has no test without it, EPA for the pairs that overlap. Convex radius 0. ${KEEPS_NOTHING}`,
  },
  {
    id: 'jolt:CollideShape',
    peer: 'jolt',
    call: 'TransformedShape.CollideShape, closest hit',
    query: 'contacts',
    shapes: CONVEX,
    does: `GJK and EPA. Convex radius 0: with one, Jolt rounds edges off. ${KEEPS_NOTHING}`,
  },
  {
    id: 'jolt:CollideShape-far',
    peer: 'jolt',
    call: 'TransformedShape.CollideShape, closest hit, separation up to 10',
    query: 'distances',
    shapes: CONVEX,
    does: 'The same for every pair, penetration of overlapping ones included.',
  },
  {
    id: 'physx:overlap',
    peer: 'physx',
    call: 'PxGeometryQuery.overlap',
    query: 'intersects',
    shapes: CONVEX,
    does: `SAT for two boxes; GJK otherwise, by which pairs up to 1e-3 of their size apart can count as overlapping. ${KEEPS_NOTHING}`,
  },
  {
    id: 'physx:proximityInfo',
    peer: 'physx',
    call: 'PxGjkQuery.proximityInfo, contactDistance 0',
    query: 'contacts',
    shapes: CONVEX,
    does: `GJK and EPA. ${KEEPS_NOTHING}`,
  },
  {
    id: 'physx:sweep-mtd',
    peer: 'physx',
    call: 'PxGeometryQuery.sweep over no way, eMTD',
    query: 'contacts',
    shapes: CONVEX,
    does:
      'Overlap test, then the least translation that separates: what computePenetration, which the binding ' +
      `lacks, does. Pairs up to 1e-3 of their size apart can count as overlapping. ${KEEPS_NOTHING}`,
  },
  {
    id: 'physx:proximityInfo-far',
    peer: 'physx',
    call: 'PxGjkQuery.proximityInfo, contactDistance 10',
    query: 'distances',
    shapes: CONVEX,
    does: 'The same for every pair, penetration of overlapping ones included.',
  },
  {
    id: 'three:intersectsOBB',
    peer: 'three',
    call: 'OBB.intersectsOBB',
    query: 'intersects',
    shapes: ['box'],
    does: `SAT in JavaScript. ${KEEPS_NOTHING}`,
  },
  {
    id: 'cannon:findSeparatingAxis',
    peer: 'cannon',
    call: 'ConvexPolyhedron.findSeparatingAxis',
    query: 'intersects',
    shapes: ['box', 'hull'],
    only: ['boxes', 'hull8', 'hull32'],
    does: `SAT over all pairs of edges in JavaScript, with depths. ${KEEPS_NOTHING}`,
  },
  {
    id: 'cannon:clipAgainstHull',
    peer: 'cannon',
    call: 'ConvexPolyhedron.findSeparatingAxis, clipAgainstHull',
    query: 'contacts',
    shapes: ['box', 'hull'],
    only: ['boxes', 'hull8', 'hull32'],
    does:
      'What its narrow phase does to a pair: SAT, then the points of one face clipped by the other. Depths are ' +
      `those of the points below the face, not along the axis. ${KEEPS_NOTHING}`,
  },
];

const WHOLE_CALLS = [
  'rapier:intersectsShape',
  'rapier:contactShape',
  'rapier:contactShape-far',
  'rapier:castShape',
  'jolt:OverlapsOrientedBox',
  'jolt:CollideShape',
  'jolt:CollideShape-far',
  'physx:overlap',
  'physx:proximityInfo',
  'physx:proximityInfo-far',
];

/**
 * Calls in a loop over the caller's arrays, of which each places both bodies before it. They write whether pairs hit,
 * and distances or times.
 */
export const ARRAY_CALLS: readonly PeerCall[] = PREPARED_CALLS.filter(({ id }) => WHOLE_CALLS.includes(id)).map(
  (call) => ({ ...call, id: call.id.replace(':', ':arrays-'), arrays: 'host' }),
);

export const PEER_CALLS: readonly PeerCall[] = [...PREPARED_CALLS, ...ARRAY_CALLS];

/** The calls that can answer a query for all shapes of a workload. */
export function peerCallsFor(
  query: Query,
  workload: string,
  types: ReadonlySet<ShapeType>,
  arrays: Arrays,
): PeerCall[] {
  return PEER_CALLS.filter(
    (call) =>
      (call.arrays ?? 'prepared') === arrays &&
      (call.query === query || (call.also?.includes(query) ?? false)) &&
      [...types].every((type) => call.shapes.includes(type)) &&
      (call.only?.includes(workload) ?? true),
  );
}
