/** Mirror of shaders/impact-normal.wgsl: the normal of an impact. */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HULL,
  CORE_POINT,
  CORE_SEGMENT,
  CORE_TRIANGLE,
  IMPACT_NORMAL_BIAS_ULPS,
  IMPACT_NORMAL_BORDER,
  IMPACT_NORMAL_FEW,
  IMPACT_NORMAL_LEAST_ACROSS,
  MOTION_LEAST_CLOSING_ULPS,
  MOTION_LEAST_VECTOR,
  MOTION_SHALLOW,
} from '../generated/constants.ts';
import { hasVertices } from '../shapes/kinds.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { CastResult } from './cast.ts';
import {
  EPSILON,
  type Vec3,
  addScaled,
  copy,
  dot,
  length,
  scale,
  set,
  transform,
  transformBack,
  vec3,
} from './math.ts';
import type { Core, Pair } from './pair.ts';
import type { Surface } from './queries/surface.ts';
import { createPoint, differenceSupport } from './support.ts';
import { createTriangleFrame, distance, triangleFrame } from './triangle.ts';

const candidate = vec3();
const outward = vec3();
const opposite = vec3();
const local = vec3();
const found = createPoint();
const frame = createTriangleFrame();

export interface ImpactNormal {
  /**
   * The rate at which B closes in along the normal, per length of its translation, and how far within the target
   * distance the cores are.
   */
  closing: number;
  depth: number;
}

const best: ImpactNormal = { closing: 0, depth: 0 };

/** B's translation relative to A, in A's frame and the pair's unit. */
export interface Translation {
  /** Unit vector along which B moves, or against which an overlap is left if B does not move. */
  direction: Vec3;
  isMoving: boolean;
  /** How far B moves. */
  end: number;
  /** The pair is at the start of the motion, and may overlap; otherwise the bounding spheres touch. */
  isStart: boolean;
  /** Distance between the cores at which the bodies meet, and between their middles at which their bounding spheres do. */
  targetDistance: number;
  reach: number;
  /** Overlap up to which bodies only touch. */
  touchTolerance: number;
}

export function createTranslation(): Translation {
  return {
    direction: vec3(),
    isMoving: true,
    end: 0,
    isStart: true,
    targetDistance: 0,
    reach: 0,
    touchTolerance: 0,
  };
}

/** Candidates that come before the bodies' faces. */
const OWN_CANDIDATES = 2;

/**
 * Chooses, of the normals that separate the cores by `targetDistance` to within `touchTolerance`, the one along which B
 * closes in the slowest, and writes it to `at.normal`. `at` is the end of a cast along `direction`, with points of the
 * cores, and `pair` has B there. The next call overwrites the result.
 */
export function impactNormal(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  { direction, targetDistance, touchTolerance }: Pick<Translation, 'direction' | 'targetDistance' | 'touchTolerance'>,
  at: CastResult,
  { onA, onB }: Surface,
): ImpactNormal {
  let slowest = 2;
  best.depth = 0;
  let isFace = false;
  // Two flat bodies that pass through each other are apart along the normal of either side, and yet they meet.
  const isFlat =
    targetDistance <= touchTolerance &&
    isFlatCore(shapeA, pair.coreA, touchTolerance) &&
    isFlatCore(shapeB, pair.coreB, touchTolerance);
  // Whether they touch well inside a facet of the difference: then its normal is the only one.
  let isInside = false;
  const hasPoint = shapeA.kind === CORE_POINT || shapeB.kind === CORE_POINT;
  const countA = flatFaceCount(shapeA, isFlat, hasPoint);
  const count = OWN_CANDIDATES + countA + flatFaceCount(shapeB, isFlat, hasPoint);
  for (let i = 0; i <= count; i++) {
    if (i === 0) {
      const { count: corners, positions, weights } = at.simplex;
      if (corners < 3 || !triangleFrame(positions, 0, 3, 6, frame).hasInside) continue;
      scale(frame.normal, dot(frame.normal, direction) > 0 ? -1 : 1, candidate);
      // A weight times the height over its edge is the distance from that edge.
      const longest = Math.max(frame.base, distance(positions, 0, 6), distance(positions, 3, 6));
      isInside =
        count > IMPACT_NORMAL_FEW &&
        Math.min(weights[0], weights[1], weights[2]) * frame.base * frame.height >
          IMPACT_NORMAL_BORDER * touchTolerance * longest;
    } else if (i === 1) {
      // The direction of a short vector is mostly rounding.
      if (at.distance < MOTION_LEAST_VECTOR) continue;
      scale(at.nearest, 1 / at.distance, candidate);
    } else if (i === count) {
      // The part of the best one that is perpendicular to the motion. A ray or ball that only touches a round body has no other
      // candidate exactly across its way. Other bodies are held up by what they slide over.
      addScaled(at.normal, direction, -dot(at.normal, direction), candidate);
      const size = length(candidate);
      if (isFlat || !hasPoint || slowest <= 0 || size < IMPACT_NORMAL_LEAST_ACROSS) continue;
      scale(candidate, 1 / size, candidate);
    } else {
      const isA = i < OWN_CANDIDATES + countA;
      if (isA) {
        const offset = outwardFace(shapeA, pair.coreA, i - OWN_CANDIDATES, onA, candidate);
        if (isFlat && hasPoint && hasNoArea(shapeA, pair.coreA, candidate, touchTolerance)) continue;
        if (dot(candidate, onA) < offset - 2 * touchTolerance) continue;
      } else {
        const { translation } = pair;
        transformBack(
          pair.rotation,
          set(onB.x - translation.x, onB.y - translation.y, onB.z - translation.z, local),
          local,
        );
        const offset = outwardFace(shapeB, pair.coreB, i - OWN_CANDIDATES - countA, local, outward);
        if (isFlat && hasPoint && hasNoArea(shapeB, pair.coreB, outward, touchTolerance)) continue;
        if (dot(outward, local) < offset - 2 * touchTolerance) continue;
        scale(transform(pair.rotation, outward, candidate), -1, candidate);
      }
    }
    const closing = i === count ? 0 : -dot(candidate, direction);
    // Normals of faces are exact. Others have to be slower by more than their rounding.
    const bias = i >= OWN_CANDIDATES && i < count && !isFace ? IMPACT_NORMAL_BIAS_ULPS * EPSILON : 0;
    // The vector between the cores ends in the difference, so no candidate separates the cores by more than its length
    // along it.
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

/**
 * Whether bodies that touch at `travelled`, with a translation up to `end`, overlap by no more than the touch tolerance
 * along their normal.
 */
export function isPassing(
  { closing, depth }: ImpactNormal,
  travelled: number,
  end: number,
  touchTolerance: number,
): boolean {
  return closing <= 0 || staysShallow(closing, depth + closing * Math.max(end - travelled, 0), touchTolerance);
}

/**
 * Whether bodies that close in at this rate, with this overlap at the end, only touch. Half the tolerance is left for
 * the next body in a line, which has its own rounding. Bodies that close in by no more than rounding may use all of it.
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

/** Whether a face of a flat box is one of its sides. */
function hasNoArea({ kind }: ShapeData, { halfExtents }: Core, { x, y, z }: Vec3, touchTolerance: number): boolean {
  if (!isBoxLike(kind)) return false;
  return Math.abs(x) * halfExtents[0] + Math.abs(y) * halfExtents[1] + Math.abs(z) * halfExtents[2] > touchTolerance;
}

function isBoxLike(kind: number): boolean {
  return kind === CORE_BOX || kind === CORE_ELLIPSOID;
}

/**
 * Flat faces of a core. For a ray or ball also the side of a cylinder or a cone, unless it is a disc, and the plane of a flat
 * ellipsoid.
 */
function flatFaceCount({ kind, facePlanes }: ShapeData, isFlat: boolean, hasPoint: boolean): number {
  if (hasVertices(kind)) return facePlanes.length / 4;
  if (kind === CORE_BOX || (kind === CORE_ELLIPSOID && hasPoint && isFlat)) return 6;
  if (kind === CORE_CYLINDER) return hasPoint && !isFlat ? 3 : 2;
  return kind === CORE_CONE ? (hasPoint && !isFlat ? 2 : 1) : 0;
}

/**
 * Writes the outward unit normal of face i, and gives how far along it the face is. Of a side, the normal away from the axis
 * where the point is.
 */
function outwardFace(
  { kind, facePlanes, faceVertices, faceStart, coreVertices: vertices }: ShapeData,
  core: Core,
  i: number,
  point: Vec3,
  normal: Vec3,
): number {
  if (hasVertices(kind)) {
    set(facePlanes[4 * i], facePlanes[4 * i + 1], facePlanes[4 * i + 2], normal);
    const at = 3 * faceVertices[faceStart[i]];
    return (normal.x * vertices[at] + normal.y * vertices[at + 1] + normal.z * vertices[at + 2]) * core.scale;
  }
  if (i === (kind === CORE_CONE ? 1 : 2) && !isBoxLike(kind)) {
    const inverse = 1 / Math.max(Math.hypot(point.x, point.z), 1e-30);
    set(point.x * inverse, 0, point.z * inverse, normal);
    return core.halfExtents[0];
  }
  const axis = isBoxLike(kind) ? i >> 1 : 1;
  const sign = i & 1 ? 1 : -1;
  set(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, normal);
  return core.halfExtents[axis];
}
