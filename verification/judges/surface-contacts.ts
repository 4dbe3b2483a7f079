/**
 * Judges contacts of a convex body with a mesh or a compound by what its surface is, without the package's rule for it:
 *
 * - ghost: a part at the contact's point rises over the plane of the contact by more than a degree, and the normal is no face's: of a
 *   triangle there; for solids, ground that ends at the plane, which points nearby tell.
 * - lost: no contact, though a part is overlapped; or none in the list.
 * - depth: against the plane of flat ground or the hull of convex ground; elsewhere between the deepest part and the shortest of
 *   many moves that clear all parts.
 */
import type { ConvexDescription } from '../../src/api/shapes.ts';
import { contact, createShape, impact, type CpuShape } from '../../src/cpu.ts';
import {
  partsOf,
  type Ground,
  type GroundPart,
  type SurfaceCase,
  type SurfaceFamily,
  type SurfacePlane,
} from '../families/surface-families.ts';

export interface SurfaceAnswer {
  depth: number;
  normal: readonly number[];
  /** On the ground. */
  point: readonly number[];
}

export const SURFACE_FAULTS = {
  lost: 'an overlap without a contact',
  ghost: 'a normal that is none of the surface',
  tooDeep: 'deeper than the shortest move',
  tooShallow: 'less deep than the surface',
  notListed: 'a contact that is not the deepest of the list',
  down: 'a contact that pushes below the ground',
  slotGhost: 'a listed contact that is a ghost',
  slotTooDeep: 'a listed contact that is much deeper than the shortest move',
  noPoint: 'a manifold without a point',
} as const;
export type SurfaceFault = keyof typeof SURFACE_FAULTS;

export interface SurfaceJudge {
  /** The faults of a body's answers; undefined if it hardly overlaps the ground. */
  judge(body: SurfaceCase, answers: Answers): SurfaceFault[] | undefined;
}

interface Answers {
  contact: SurfaceAnswer | undefined;
  list: readonly SurfaceAnswer[];
  /** Points per manifold. */
  pointCounts: readonly number[];
}

/** What is tolerated: of depths, and around points. */
const LENGTH = 2e-5;
const AROUND = 3e-6;
/** Shares of depths: of the contact, of too little, and of what a solver of listed contacts stands. */
const DEEPER = 2e-3;
const SHALLOWER = 5e-3;
const SLOT_DEEPER = 0.1;
const DEGREE = Math.sin(Math.PI / 180);

const GROUND: SurfacePlane = { normal: [0, 1, 0], offset: 0 };
const ORIGIN = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };
const AT_REST = { ...ORIGIN, linearVelocity: [0, 0, 0] };

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, k) => x - b[k]);
const unit = (a: readonly number[]): number[] => a.map((x) => x / Math.hypot(...a));

interface Triangle extends GroundPart {
  normal: number[];
  height: number;
}

function readTriangles(mesh: Ground): Triangle[] {
  return partsOf(mesh).map(({ corners, shape }) => {
    const [u, v] = [minus(corners[1], corners[0]), minus(corners[2], corners[0])];
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const area = Math.hypot(...cross);
    const longest = Math.max(Math.hypot(...u), Math.hypot(...v), Math.hypot(...minus(u, v)));
    return { corners, normal: unit(cross), height: area / longest, shape };
  });
}

export function createSurfaceJudge({
  ground,
  kind,
  solid,
  plane = GROUND,
  tolerance = 0,
  isGround,
  inside,
}: SurfaceFamily): SurfaceJudge {
  const triangles = ground.type === 'mesh' ? readTriangles(ground) : [];
  const parts = ground.type === 'mesh' ? triangles : partsOf(ground);
  const around = Math.max(AROUND, tolerance);
  const long = Math.max(LENGTH, tolerance);
  const hull = solid && createShape({ type: 'hull', points: solid });
  const shapes = new Map<ConvexDescription, CpuShape>();

  /** Whether a contact's plane cuts into triangles at its point, or there are none. */
  function isGhost({ point, normal }: SurfaceAnswer): boolean {
    const near = parts.filter((part) => distanceTo(point, part, around) <= around);
    if (near.length === 0) return true;
    const isFace =
      ground.type === 'mesh'
        ? triangles.some((t) => near.includes(t) && Math.abs(dot(t.normal, normal)) > 0.99985 && t.height > 50 * around)
        : endsAt(parts, point, normal);
    if (isFace) return false;
    return near.some(({ corners }) =>
      corners.some((corner) => {
        const way = minus(corner, point);
        return Math.hypot(...way) > 50 * around && dot(unit(way), normal) > DEGREE;
      }),
    );
  }

  return {
    judge({ shape: description, position, quaternion }, { contact: found, list, pointCounts }) {
      const shape = shapes.get(description) ?? createShape(description);
      shapes.set(description, shape);
      const pose = { position, quaternion };
      let deepest = -Infinity;
      const hit: { normal: readonly number[] }[] = [];
      for (const [i, part] of parts.entries()) {
        const answer = contact(part.shape, ORIGIN, shape, pose);
        if (!answer.hit) continue;
        hit.push(triangles[i] ?? answer);
        deepest = Math.max(deepest, -answer.distance);
      }
      if (!(deepest > 2 * long)) return undefined;
      const faults: SurfaceFault[] = [];
      if (!found || !(found.depth > 0) || list.length === 0) return ['lost'];
      const truth =
        hull && kind === 'convex' ? -contact(hull, ORIGIN, shape, pose, { margin: Infinity }).distance : undefined;
      const flat = kind === 'flat' ? -lowest(shape, pose, plane) : undefined;
      const most = truth ?? flat ?? shortestMove(parts, shape, pose, [...hit, ...list]);
      // Two-sided, a body with its middle inside may come out on the other side of what it hits.
      const least = inside && isMiddleIn(shape, pose, inside) ? deepest : (truth ?? flat ?? deepest);
      const add = (fault: SurfaceFault, isFault: boolean): void => void (isFault && faults.push(fault));
      add('ghost', isGhost(found));
      add('tooDeep', found.depth > most * (1 + DEEPER) + long);
      add('tooShallow', found.depth < least * (1 - SHALLOWER) - long);
      add('notListed', Math.abs(found.depth - Math.max(...list.map(({ depth }) => depth))) > long);
      add('down', isGround && [found, ...list].some(({ normal }) => normal[1] < -0.02));
      const deep = list.filter(({ depth }) => depth > long);
      add('slotGhost', deep.some(isGhost));
      add(
        'slotTooDeep',
        deep.some(({ depth }) => depth > most * (1 + SLOT_DEEPER) + long),
      );
      add(
        'noPoint',
        pointCounts.some((count) => count === 0),
      );
      return faults;
    },
  };
}

type Pose = Pick<SurfaceCase, 'position' | 'quaternion'>;

/** The least height of a body over a plane. */
function lowest(shape: CpuShape, pose: Pose, { normal, offset }: SurfacePlane): number {
  const below = createShape({ type: 'halfspace', normal: [...normal], offset });
  return contact(below, ORIGIN, shape, pose, { margin: Infinity }).distance;
}

/** Whether the middle of a body's box is in a box around the origin. */
function isMiddleIn(shape: CpuShape, pose: Pose, halfExtents: readonly number[]): boolean {
  return halfExtents.every((half, axis) => {
    const up = [0, 1, 2].map((k) => Number(k === axis));
    const least = lowest(shape, pose, { normal: up, offset: 0 });
    const most = -lowest(shape, pose, { normal: up.map((x) => -x), offset: 0 });
    return Math.abs(least + most) / 2 < half;
  });
}

/** How far aside of a contact's point, and over and under it, solid ground is looked for. */
const ASIDE = 1e-3;
const OVER = 1e-4;

/** Whether solids end at a plane somewhere beside a point: a little below they are, a little above they are not. */
function endsAt(parts: readonly GroundPart[], point: readonly number[], normal: readonly number[]): boolean {
  const isIn = (at: readonly number[]): boolean => parts.some((part) => distanceTo(at, part, OVER) <= OVER / 10);
  const along = unit(Math.abs(normal[0]) < 0.6 ? [0, normal[2], -normal[1]] : [normal[2], 0, -normal[0]]);
  const across = [1, 2, 0].map((k, i) => normal[k] * along[(i + 2) % 3] - normal[(i + 2) % 3] * along[k]);
  return Array.from({ length: 17 }, (_, i) => {
    const [u, v] = i === 16 ? [0, 0] : [ASIDE * Math.cos((i * Math.PI) / 8), ASIDE * Math.sin((i * Math.PI) / 8)];
    return (height: number): number[] => point.map((x, k) => x + u * along[k] + v * across[k] + height * normal[k]);
  }).some((at) => [-1, -2, -3].every((k) => isIn(at(k * OVER))) && [1, 2, 3].every((k) => !isIn(at(k * OVER))));
}

/** The distance of a point from a part; Infinity if it is outside of its box. */
function distanceTo(point: readonly number[], { corners, shape }: GroundPart, around: number): number {
  const beside = [0, 1, 2].map((k) => {
    const along = corners.map((corner) => corner[k] - point[k]);
    return Math.max(Math.min(...along), -Math.max(...along));
  });
  if (Math.max(...beside) > around) return Infinity;
  return contact(shape, ORIGIN, POINT, { position: point, quaternion: [0, 0, 0, 1] }, { margin: Infinity }).distance;
}

const POINT = createShape({ type: 'sphere', radius: 0 });

/** Directions over the sphere. */
const DIRECTIONS = Array.from({ length: 40 }, (_, i) => {
  const y = 1 - (2 * i + 1) / 40;
  const [r, a] = [Math.sqrt(1 - y * y), i * 2.399963];
  return [Math.cos(a) * r, y, Math.sin(a) * r];
});

/** How far a body is moved away before it is cast back. */
const FAR = 8;

/** The shortest found move that takes a body out of all parts: along normals of what it hits, and over the sphere. */
function shortestMove(
  parts: readonly GroundPart[],
  shape: CpuShape,
  { position, quaternion }: Pose,
  hit: readonly { normal: readonly number[] }[],
): number {
  const tried: (readonly number[])[] = [];
  for (const { normal } of [...hit, ...DIRECTIONS.map((direction) => ({ normal: direction }))])
    if (!tried.some((other) => dot(other, normal) > 0.9999)) tried.push(normal);
  const reach = 1.5;
  const near = parts.filter(({ corners }) =>
    [0, 1, 2].every((k) => {
      const values = corners.map((corner) => corner[k]);
      return Math.min(...values) <= position[k] + reach && Math.max(...values) >= position[k] - reach;
    }),
  );
  let best = Infinity;
  for (const n of tried) {
    const spans: [number, number][] = [];
    for (const { shape: part } of near) {
      const leave = passAt(part, shape, position, quaternion, n, -1);
      if (leave > 0) spans.push([-passAt(part, shape, position, quaternion, n, 1), leave]);
    }
    spans.sort((a, b) => a[0] - b[0]);
    let end = 0;
    for (const [first, last] of spans) if (first <= end + 1e-12) end = Math.max(end, last);
    best = Math.min(best, end);
  }
  return best;
}

/** How far a body has moved along n (sign -1: it is cast back along n) when it leaves a part; -Infinity if it passes beside. */
function passAt(
  part: CpuShape,
  shape: CpuShape,
  position: readonly number[],
  quaternion: readonly number[],
  n: readonly number[],
  sign: 1 | -1,
): number {
  const from = position.map((x, k) => x - sign * FAR * n[k]);
  const body = { position: from, quaternion, linearVelocity: n.map((x) => sign * x) };
  const { time, hit } = impact(part, AT_REST, shape, body, { duration: 2 * FAR });
  return hit && time < Infinity ? FAR - time : -Infinity;
}
