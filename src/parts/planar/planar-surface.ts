/**
 * The surface of a chain, or of the sharp parts of a compound: where their corners are, and which normals they accept. A normal is
 * accepted at a point if no part that touches the point rises above the normal's plane: it is in the polar cone of the directions into
 * all of them.
 *
 *     tiles side by side     corner of a chain        end of a chain
 *        ____n____            n1 \ | / n2              \ | /
 *       |    |    |              _\|/_                 -\|/---->
 *       |____|____|             /     \                 half a turn
 *     only up, no side        between n1 and n2
 */
import type { PartTree } from '../../bvh/part-tree.ts';
import { vec3 } from '../../cpu/math.ts';
import { PLANAR_POINT } from '../../generated/constants.ts';
import { planarPart } from '../../shapes/planar-part-shapes.ts';
import { planarPartCount, type PlanarParts } from '../../shapes/planar-parts.ts';
import { coreCorners, type PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { visitNear } from '../surface/near-triangles.ts';
import type { SurfaceCorners } from '../surface/surface-rule.ts';
import { WELD_TOLERANCE } from '../../shapes/weld-vertices.ts';

/** Parts touch a point if they are this many times the weld tolerance from it. */
const TOUCH = 2;

export interface PlanarSurface extends SurfaceCorners {
  readonly isChain: boolean;
  /** Parts. */
  readonly count: number;
  readonly isFront: boolean;
  /** How near a point a part is that touches it. */
  readonly touch: number;
  readonly tree: PartTree;
  /** x, y of a part's corners, counter-clockwise. Those of a chain's segment are its first point and its second. */
  cornersOf(part: number): ArrayLike<number>;
  /** Whether a part has a surface: it is sharp, and more than a point. Contacts with others stay as they are. */
  isSharp(part: number): boolean;
}

const known = new WeakMap<object, PlanarSurface>();

/** Bakes the surface of a shape whose tree is built, once. */
export function* prepareSurface(shape: PlanarShapeData, tree: PartTree): Work<void> {
  const parts = shape.parts!;
  if (!known.has(parts)) known.set(parts, yield* bakeSurface(shape, parts, tree));
}

/** A surface that was baked before. */
export function surfaceOf(parts: PlanarParts<PlanarShapeData>): PlanarSurface {
  return known.get(parts)!;
}

function isSharpShape({ kind, radius }: PlanarShapeData): boolean {
  return radius === 0 && kind !== PLANAR_POINT;
}

const surfaces = new WeakMap<object, boolean>();

/** Whether contacts with a body may be decided by its surface: a chain, and a compound of several parts, some of which are sharp. */
export function isSurface({ parts }: PlanarShapeData): boolean {
  if (!parts) return false;
  if (parts.type === 'chain') return true;
  const found = surfaces.get(parts) ?? (parts.shapes.length > 1 && parts.shapes.some(isSharpShape));
  surfaces.set(parts, found);
  return found;
}

function* bakeSurface(
  shape: PlanarShapeData,
  parts: PlanarParts<PlanarShapeData>,
  tree: PartTree,
): Work<PlanarSurface> {
  const isDue = createPace();
  const count = planarPartCount(parts);
  const isChain = parts.type === 'chain';
  const isSharp = (part: number): boolean => isChain || isSharpShape(parts.shapes[part]);
  const starts = new Uint32Array(count + 1);
  const coordinates: number[] = [];
  const indices: number[] = [];
  const corners = isChain
    ? (part: number) => segmentOf(parts.points, part)
    : (part: number) => coreCorners(planarPart(shape, part));
  if (isChain)
    for (let i = 0; i < parts.points.length; i += 2) coordinates.push(parts.points[i], parts.points[i + 1], 0);
  for (let part = 0; part < count; part++) {
    if (isDue(16)) yield;
    if (isChain) indices.push(part, 2 * part + 2 === parts.points.length ? 0 : part + 1);
    else {
      const list = corners(part);
      for (let i = 0; i < list.length; i += 2) {
        indices.push(coordinates.length / 3);
        coordinates.push(list[i], list[i + 1], 0);
      }
    }
    starts[part + 1] = indices.length;
  }
  const positions = Float64Array.from(coordinates);
  const weld = WELD_TOLERANCE * positions.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return {
    weld,
    touch: TOUCH * weld,
    outline: {
      positions,
      indices: Uint32Array.from(indices),
      starts,
      solids: { isPlain: Uint8Array.from({ length: count }, (_, part) => Number(!isSharp(part))) },
    },
    isChain,
    count,
    isFront: isChain && parts.isFront,
    tree,
    cornersOf: corners,
    isSharp,
  };
}

function segmentOf(points: Float64Array, segment: number): number[] {
  const next = 2 * segment + 2 === points.length ? 0 : 2 * segment + 2;
  return [points[2 * segment], points[2 * segment + 1], points[next], points[next + 1]];
}

const from = vec3();
const end = vec3();

/** Calls `visit` for the sharp parts whose boxes are within `reach` of the box around two points. */
export function visitSharp(
  { tree, isSharp }: PlanarSurface,
  [ax, ay, bx, by]: readonly [number, number, number, number],
  reach: number,
  visit: (part: number) => void,
): void {
  from.x = ax;
  from.y = ay;
  end.x = bx;
  end.y = by;
  visitNear(tree, from, end, reach, (part) => {
    if (isSharp(part)) visit(part);
  });
}
