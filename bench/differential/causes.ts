/** Why a peer is wrong, as far as its source tells: one text for each kind of disagreement. */

import type { ShapeDescription } from '../../src/shapes/descriptions.ts';
import type { Disagreement } from './compare.ts';
import type { PeerName } from './peer.ts';

type Shapes = readonly [ShapeDescription, ShapeDescription];

export function causeOf(peer: PeerName, shapes: Shapes, disagreement: Disagreement): string {
  if (disagreement.isWrongHere) return 'narrowphase is outside its tolerance';
  return peer === 'rapier' ? causeInRapier(shapes, disagreement) : causeInJolt(disagreement);
}

/** By the source of parry, Rapier's queries: `query/contact` and `query/gjk`. */
function causeInRapier(shapes: Shapes, { subject, there, truth }: Disagreement): string {
  // `contact_support_map_halfspace` passes on the half-space's pose in the other shape's frame, where its inverse is expected.
  if (subject !== 'overlap' && shapes[1].type === 'halfspace') return "Rapier's contactShape takes the pose of a half-space that is the second shape the wrong way round";
  // `contact_convex_polyhedron_ball` projects by GJK, which ends within a share of the centre's distance, not of the gap.
  if (shapes.some(({ type }) => type === 'sphere')) return "Rapier's projection of a ball's centre onto a hull or a rounded shape ends at 1e-3 of its distance";
  // `contact_cuboid_cuboid` projects one support point of the one box onto the other.
  if (subject !== 'overlap' && shapes.every((shape) => shape.type === 'box' && !shape.radius)) return "Rapier's contactShape of two boxes measures from a single corner";
  if (subject === 'overlap') {
    return there.overlaps ? "Rapier's GJK takes a simplex for one that holds the origin, of shapes apart" : "Rapier's GJK ends before a simplex holds the origin, of shapes that overlap";
  }
  if (there.distance === null) return "Rapier's EPA finds no depth, and contactShape gives no contact of an overlapping pair";
  if (subject === 'gap') return there.distance > truth ? "Rapier's GJK ends before it has the closest points" : "Rapier's EPA gives shapes apart a depth";
  return there.distance > 0 ? "Rapier's GJK gives overlapping shapes a gap" : "Rapier's EPA ends on another face than the closest";
}

function causeInJolt({ subject, there, truth }: Disagreement): string {
  if (subject === 'overlap') return there.overlaps ? "Jolt's EPA finds an overlap of shapes apart" : "Jolt's EPA finds no overlap of shapes whose cores its GJK cannot tell apart";
  if (there.distance === null) return "Jolt's EPA finds no depth";
  if (subject === 'gap') return there.distance <= 0 ? "Jolt's EPA gives shapes that hardly touch a depth" : "Jolt's GJK with a separation ends before it has the closest points";
  if (there.distance > 0) return "Jolt's EPA finds no overlap of shapes whose cores its GJK cannot tell apart";
  return there.distance < truth ? "Jolt's EPA ends on a face farther out than the closest" : "Jolt's EPA ends on a face before it reaches the surface";
}
