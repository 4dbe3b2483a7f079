/** Why a peer is wrong, as far as its source tells: one text for each kind of disagreement. */

import type { ShapeDescription } from '../../../src/api/shapes.ts';
import type { Disagreement } from './compare.ts';
import type { PeerName } from './peer.ts';

type Shapes = readonly [ShapeDescription, ShapeDescription];

export function causeOf(peer: PeerName, shapes: Shapes, disagreement: Disagreement): string {
  if (disagreement.isWrongHere) return 'narrowphase is outside its tolerance';
  return peer === 'rapier' ? `Rapier's ${causeInRapier(shapes, disagreement)}` : `Jolt's ${causeInJolt(disagreement)}`;
}

/** By the source of parry, Rapier's queries: `query/contact` and `query/gjk`. */
function causeInRapier(shapes: Shapes, { subject, there, truth }: Disagreement): string {
  // `contact_support_map_halfspace` passes on the half-space's pose in the other shape's frame, where its inverse is
  // expected.
  if (subject !== 'overlap' && shapes[1].type === 'halfspace') {
    return 'contactShape takes the pose of a half-space that is the second shape the wrong way round';
  }
  // `contact_convex_polyhedron_ball` projects by GJK, which ends within a share of the centre's distance, not of the
  // gap.
  if (shapes.some(({ type }) => type === 'sphere')) {
    return "projection of a ball's centre onto a hull or a rounded shape ends at 1e-3 of its distance";
  }
  // `contact_cuboid_cuboid` projects one support point of the one box onto the other.
  const arePlainBoxes = shapes.every((shape) => shape.type === 'box' && !shape.radius);
  if (subject !== 'overlap' && arePlainBoxes) return 'contactShape of two boxes measures from a single corner';
  if (subject === 'overlap') {
    if (there.overlaps) return 'GJK takes a simplex for one that holds the origin, of shapes apart';
    return 'GJK ends before a simplex holds the origin, of shapes that overlap';
  }
  if (there.distance === null) return 'EPA finds no depth, and contactShape gives no contact of an overlapping pair';
  if (subject === 'gap')
    return there.distance > truth ? 'GJK ends before it has the closest points' : 'EPA gives shapes apart a depth';
  return there.distance > 0 ? 'GJK gives overlapping shapes a gap' : 'EPA ends on another face than the closest';
}

/** By ConvexShape.cpp: GJK on cores, and EPA where it cannot tell them apart. */
function causeInJolt({ subject, there, truth }: Disagreement): string {
  const isMissed = 'EPA finds no overlap of shapes that its GJK cannot tell apart';
  if (subject === 'overlap') return there.overlaps ? 'EPA finds an overlap of shapes apart' : isMissed;
  if (there.distance === null) return 'EPA finds no depth';
  if (subject === 'gap' && there.distance <= 0) return 'EPA gives shapes that hardly touch a depth';
  if (subject === 'gap') return 'GJK with a separation ends before it has the closest points';
  if (there.distance > 0) return isMissed;
  return there.distance < truth
    ? 'EPA ends on a face farther out than the closest'
    : 'EPA ends on a face before it reaches the surface';
}
