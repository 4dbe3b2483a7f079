/** Mirror of shaders/impact-normal.wgsl: the normal along which bodies meet in motion. */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_HULL,
  CORE_POINT,
  CORE_SEGMENT,
  CORE_TRIANGLE,
  IMPACT_NORMAL_BIAS_ULPS,
  IMPACT_NORMAL_BORDER,
  IMPACT_NORMAL_FEW,
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

export interface ImpactNormal {
  /** How fast B closes in on A along the normal, as a share of its way, and how far within `targetDistance` the cores are. */
  closing: number;
  depth: number;
}

const best: ImpactNormal = { closing: 0, depth: 0 };

/** Candidates that come before the bodies' faces. */
const OWN_CANDIDATES = 2;

/**
 * Takes, of the normals that separate the cores by `targetDistance` to within `touchTolerance`, the one that B closes in on A along the
 * slowest, and gives how fast that is. Written over by the next call. `at` is where a cast along `direction` ended, B being
 * there still, and `onA` and `onB` its points.
 */
export function impactNormal(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  direction: Vec3,
  targetDistance: number,
  touchTolerance: number,
  at: CastResult,
  onA: Vec3,
  onB: Vec3,
): ImpactNormal {
  let slowest = 2;
  best.depth = 0;
  let isFace = false;
  // Two flat bodies that pass through each other are apart along either side's normal, and yet they meet.
  const isFlat =
    targetDistance <= touchTolerance &&
    isFlatCore(shapeA, pair.coreA, touchTolerance) &&
    isFlatCore(shapeB, pair.coreB, touchTolerance);
  // Whether they touch well inside a facet of the difference: then its normal is the only one.
  let isInside = false;
  const countA = flatFaceCount(shapeA);
  const count = OWN_CANDIDATES + countA + flatFaceCount(shapeB);
  for (let i = 0; i < count; i++) {
    if (i === 0) {
      const { count: corners, positions, weights } = at.simplex;
      if (corners < 3 || !triangleFrame(positions, 0, 3, 6, frame).hasInside) continue;
      scale(frame.normal, dot(frame.normal, direction) > 0 ? -1 : 1, candidate);
      // A weight times the height over the edge in question is the distance from that.
      const longest = Math.max(frame.base, distance(positions, 0, 6), distance(positions, 3, 6));
      isInside =
        count > IMPACT_NORMAL_FEW &&
        Math.min(weights[0], weights[1], weights[2]) * frame.base * frame.height >
          IMPACT_NORMAL_BORDER * touchTolerance * longest;
    } else if (i === 1) {
      // Short vectors have no direction to speak of.
      if (at.distance < MOTION_LEAST_VECTOR) continue;
      scale(at.nearest, 1 / at.distance, candidate);
    } else {
      const isA = i < OWN_CANDIDATES + countA;
      if (isA) {
        const offset = outwardFace(shapeA, pair.coreA, i - OWN_CANDIDATES, candidate);
        if (dot(candidate, onA) < offset - 2 * touchTolerance) continue;
      } else {
        const offset = outwardFace(shapeB, pair.coreB, i - OWN_CANDIDATES - countA, outward);
        const { translation } = pair;
        transformBack(
          pair.rotation,
          set(onB.x - translation.x, onB.y - translation.y, onB.z - translation.z, local),
          local,
        );
        if (dot(outward, local) < offset - 2 * touchTolerance) continue;
        scale(transform(pair.rotation, outward, candidate), -1, candidate);
      }
    }
    const closing = -dot(candidate, direction);
    // Normals of faces are exact, others have their rounding: they have to be slower by more than that.
    const bias = i >= OWN_CANDIDATES && !isFace ? IMPACT_NORMAL_BIAS_ULPS * EPSILON : 0;
    // The vector between the cores ends in the difference, so that no height is above its own.
    if (
      closing >= slowest + bias ||
      dot(candidate, at.nearest) < targetDistance - touchTolerance ||
      (isFlat && closing < -MOTION_LEAST_CLOSING_ULPS * EPSILON)
    )
      continue;
    differenceSupport(pair, scale(candidate, -1, opposite), found);
    const depth = targetDistance - dot(candidate, found.position);
    if (!(depth <= touchTolerance)) continue;
    slowest = closing;
    best.depth = depth;
    isFace = i >= OWN_CANDIDATES;
    copy(candidate, at.normal);
    if (isInside && i === 0) break;
  }
  best.closing = slowest < 2 ? slowest : -dot(at.normal, direction);
  return best;
}

/** Whether bodies that touch at `travelled` of a way up to `end` come no deeper than `touchTolerance` along their normal. */
export function isPassing(
  { closing, depth }: ImpactNormal,
  travelled: number,
  end: number,
  touchTolerance: number,
): boolean {
  return closing <= 0 || staysShallow(closing, depth + closing * Math.max(end - travelled, 0), touchTolerance);
}

/**
 * Whether bodies that close in by this share of their way, and are so deep at its end, never come to overlap. Half the
 * slack is left for the next body in a line, whose rounding is another; but what closes in by no more than rounding
 * can't be slowed down.
 */
export function staysShallow(closing: number, depth: number, touchTolerance: number): boolean {
  return (
    closing <= MOTION_SHALLOW * touchTolerance &&
    depth <= (closing <= MOTION_LEAST_CLOSING_ULPS * EPSILON ? touchTolerance : 0.5 * touchTolerance)
  );
}

/** Whether a core has no inside. */
function isFlatCore(
  { kind, facePlanes }: ShapeData,
  { halfExtents: [x, y, z] }: Core,
  touchTolerance: number,
): boolean {
  switch (kind) {
    case CORE_POINT:
    case CORE_SEGMENT:
    case CORE_TRIANGLE:
      return true;
    case CORE_HULL:
      return facePlanes.length <= 8;
    case CORE_CYLINDER:
    case CORE_CONE:
      return Math.min(x, y) <= touchTolerance;
    default:
      return Math.min(x, y, z) <= touchTolerance;
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
