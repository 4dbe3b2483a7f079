/** Mirror of shaders/facing.wgsl: the normal along which bodies meet in motion. */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_HULL,
  CORE_POINT,
  CORE_SEGMENT,
  CORE_TRIANGLE,
  FACING_BIAS_ULPS,
  FACING_BORDER,
  FACING_FEW,
  MOTION_LEAST_CLOSING_ULPS,
  MOTION_LEAST_VECTOR,
  MOTION_SHALLOW,
} from '../generated/constants.ts';
import { hasVertices } from '../shapes/kinds.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { CastResult } from './cast.ts';
import { EPSILON, type Vec3, copy, dot, scale, set, transform, transformBack, vec3 } from './math.ts';
import type { Core, Pair } from './pair.ts';
import { createPoint, differenceSupport } from './support.ts';
import { createTriangleFrame, distance, triangleFrame } from './triangle.ts';

const candidate = vec3();
const outward = vec3();
const opposite = vec3();
const local = vec3();
const found = createPoint();
const frame = createTriangleFrame();

export interface Facing {
  /** How fast B closes in on A along the normal, as a share of its way, and how far within `reach` the cores are. */
  closing: number;
  depth: number;
}

const best: Facing = { closing: 0, depth: 0 };

/** Candidates that come before the bodies' faces. */
const OWN_CANDIDATES = 2;

/**
 * Takes, of the normals that separate the cores by `reach` to within `slack`, the one that B closes in on A along the
 * slowest, and gives how fast that is. Written over by the next call. `at` is where a cast along `along` ended, B being
 * there still, and `onA` and `onB` its points.
 */
export function facing(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  along: Vec3,
  reach: number,
  slack: number,
  at: CastResult,
  onA: Vec3,
  onB: Vec3,
): Facing {
  let slowest = 2;
  best.depth = 0;
  let isFace = false;
  // Two flat bodies that pass through each other are apart along either side's normal, and yet they meet.
  const isFlat = reach <= slack && isFlatCore(shapeA, pair.coreA, slack) && isFlatCore(shapeB, pair.coreB, slack);
  // Whether they touch well inside a facet of the difference: then its normal is the only one.
  let isInside = false;
  const countA = flatFaceCount(shapeA);
  const count = OWN_CANDIDATES + countA + flatFaceCount(shapeB);
  for (let i = 0; i < count; i++) {
    if (i === 0) {
      const { count: corners, positions, weights } = at.simplex;
      if (corners < 3 || !triangleFrame(positions, 0, 3, 6, frame).hasInside) continue;
      scale(frame.normal, dot(frame.normal, along) > 0 ? -1 : 1, candidate);
      // A weight times the height over the edge in question is the distance from that.
      const longest = Math.max(frame.base, distance(positions, 0, 6), distance(positions, 3, 6));
      isInside =
        count > FACING_FEW &&
        Math.min(weights[0], weights[1], weights[2]) * frame.base * frame.height > FACING_BORDER * slack * longest;
    } else if (i === 1) {
      // Short vectors have no direction to speak of.
      if (at.distance < MOTION_LEAST_VECTOR) continue;
      scale(at.nearest, 1 / at.distance, candidate);
    } else {
      const isA = i < OWN_CANDIDATES + countA;
      if (isA) {
        const offset = outwardFace(shapeA, pair.coreA, i - OWN_CANDIDATES, candidate);
        if (dot(candidate, onA) < offset - 2 * slack) continue;
      } else {
        const offset = outwardFace(shapeB, pair.coreB, i - OWN_CANDIDATES - countA, outward);
        const { translation } = pair;
        transformBack(
          pair.rotation,
          set(onB.x - translation.x, onB.y - translation.y, onB.z - translation.z, local),
          local,
        );
        if (dot(outward, local) < offset - 2 * slack) continue;
        scale(transform(pair.rotation, outward, candidate), -1, candidate);
      }
    }
    const closing = -dot(candidate, along);
    // Normals of faces are exact, others have their rounding: they have to be slower by more than that.
    const bias = i >= OWN_CANDIDATES && !isFace ? FACING_BIAS_ULPS * EPSILON : 0;
    // The vector between the cores ends in the difference, so that no height is above its own.
    if (
      closing >= slowest + bias ||
      dot(candidate, at.nearest) < reach - slack ||
      (isFlat && closing < -MOTION_LEAST_CLOSING_ULPS * EPSILON)
    )
      continue;
    differenceSupport(pair, scale(candidate, -1, opposite), found);
    const depth = reach - dot(candidate, found.position);
    if (!(depth <= slack)) continue;
    slowest = closing;
    best.depth = depth;
    isFace = i >= OWN_CANDIDATES;
    copy(candidate, at.normal);
    if (isInside && i === 0) break;
  }
  best.closing = slowest < 2 ? slowest : -dot(at.normal, along);
  return best;
}

/** Whether bodies that touch at `path` of a way up to `end` come no deeper than `slack` along their normal. */
export function isPassing({ closing, depth }: Facing, path: number, end: number, slack: number): boolean {
  return closing <= 0 || staysShallow(closing, depth + closing * Math.max(end - path, 0), slack);
}

/**
 * Whether bodies that close in by this share of their way, and are so deep at its end, never come to overlap. Half the
 * slack is left for the next body in a line, whose rounding is another; but what closes in by no more than rounding
 * can't be slowed down.
 */
export function staysShallow(closing: number, depth: number, slack: number): boolean {
  return (
    closing <= MOTION_SHALLOW * slack && depth <= (closing <= MOTION_LEAST_CLOSING_ULPS * EPSILON ? slack : 0.5 * slack)
  );
}

/** Whether a core has no inside. */
function isFlatCore({ kind, facePlanes }: ShapeData, { halfExtents: [x, y, z] }: Core, slack: number): boolean {
  switch (kind) {
    case CORE_POINT:
    case CORE_SEGMENT:
    case CORE_TRIANGLE:
      return true;
    case CORE_HULL:
      return facePlanes.length <= 8;
    case CORE_CYLINDER:
    case CORE_CONE:
      return Math.min(x, y) <= slack;
    default:
      return Math.min(x, y, z) <= slack;
  }
}

/** Flat faces of a core. */
function flatFaceCount({ kind, facePlanes }: ShapeData): number {
  if (hasVertices(kind)) return facePlanes.length / 4;
  if (kind === CORE_BOX) return 6;
  if (kind === CORE_CYLINDER) return 2;
  return kind === CORE_CONE ? 1 : 0;
}

/** Writes the outward unit normal of face i, and gives how far along it the face is. */
function outwardFace(
  { kind, facePlanes, faceVertices, faceStart, vertices }: ShapeData,
  core: Core,
  i: number,
  normal: Vec3,
): number {
  if (hasVertices(kind)) {
    set(facePlanes[4 * i], facePlanes[4 * i + 1], facePlanes[4 * i + 2], normal);
    const at = 3 * faceVertices[faceStart[i]];
    return (normal.x * vertices[at] + normal.y * vertices[at + 1] + normal.z * vertices[at + 2]) * core.scale;
  }
  const axis = kind === CORE_BOX ? i >> 1 : 1;
  const sign = i & 1 ? 1 : -1;
  set(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, normal);
  return core.halfExtents[axis];
}
