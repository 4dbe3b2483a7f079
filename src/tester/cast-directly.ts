/**
 * Casts rays without a request to a backend: each ray goes from body to body in the order in which it enters their boxes,
 * until none that is left can be met earlier than the first impact so far.
 */
import type { CollisionFilters, Rays } from '../api/types.ts';
import type { BodyTree } from '../broad-phase/body-tree.ts';
import { createBoxRay, setBoxRay, walkAlongRay, type BoxRay } from '../broad-phase/box-rays.ts';
import { ALL_GROUPS, groupsMeet } from '../broad-phase/filters.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import { writeRecord } from '../cpu/write-record.ts';
import type { AnyBodies } from '../records/bodies.ts';
import type { Dimension } from '../request/dimension.ts';
import { keepEarlier, type FirstHits } from '../request/ray-hits.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { createPace, type Work } from '../util/turns.ts';
import type { RayImpactsOfBodies } from './ray-impacts.ts';

/** What rays are cast at. */
export interface RayTargets {
  bodies: AnyBodies;
  filters: CollisionFilters;
  /** A snapshot. */
  shapes: ShapeTable;
  /** Missing: the ball around each body is tested. */
  tree?: BodyTree;
}

/** Steps of the work that an impact takes. */
const STEPS_PER_IMPACT = 256;

/** Calls `visit` with bodies that the ray may meet, and when at the earliest, as `walkAlongRay` does. */
type VisitBodies = (
  ray: BoxRay,
  groups: number,
  visit: (body: number, entry: number) => number,
  isDue: (steps: number) => boolean,
) => Work<void>;

/** Writes the first hit of each ray. */
export function* castDirectly(
  dimension: Dimension,
  targets: RayTargets,
  rays: Rays,
  impacts: RayImpactsOfBodies,
  hits: FirstHits,
): Work<void> {
  const pace = createPace();
  const { bodies, filters } = targets;
  const { dimension: axes, records } = dimension;
  const integers = new Uint32Array(records.sizes.impacts.words);
  const floats = new Float32Array(integers.buffer);
  const visitBodies = targets.tree ? alongTree(targets.tree) : alongBalls(targets, axes);
  const boxRay = createBoxRay();
  const count = rays.origins.length / axes;
  let ray = 0;
  let groups = ALL_GROUPS;
  let isLacking = false;
  let spent = 0;
  const isDue = (steps: number): boolean => {
    const all = steps + spent;
    spent = 0;
    return pace(all);
  };

  /** Keeps the impact with a body if it is the first. Returns when that is, or the ray's end. */
  const visit = (body: number): number => {
    if (filters.groups && !groupsMeet(groups, filters.groups[body])) return Math.min(hits.time[ray], boxRay.end);
    const impact = impacts.with(bodies, body);
    if (!impact) {
      isLacking = true;
      return -1;
    }
    if (impact.hit) {
      writeRecord('impacts', records, impact, floats, integers, 0);
      keepEarlier(dimension, hits, ray, boxRay.end, body, bodies.positions, floats, integers, 0);
    }
    spent += STEPS_PER_IMPACT;
    return Math.min(hits.time[ray], boxRay.end);
  };

  for (; ray < count; ray++) {
    groups = rays.groups ? rays.groups[ray] : ALL_GROUPS;
    setBoxRay(axes, rays, ray, boxRay);
    impacts.setRay(rays, ray);
    for (;;) {
      isLacking = false;
      yield* visitBodies(boxRay, groups, visit, isDue);
      if (!isLacking) break;
      yield* impacts.prepare();
    }
    if (isDue(64)) yield;
  }
}

/** Half-spaces, which have no boxes, come first. */
function alongTree({ tree, halfspaces }: BodyTree): VisitBodies {
  const walk = { nodes: [], entries: [] };
  return function* (ray, groups, visit, isDue) {
    for (const { body } of halfspaces) if (visit(body, 0) < 0) return;
    yield* walkAlongRay(tree, ray, groups, visit, isDue, walk);
  };
}

/** The balls around bodies are larger by this share of their sizes and distances. */
const SLACK = 1e-5;

/** Bodies between two looks at whether it is time to yield. */
const AT_ONCE = 512;

/** The bodies whose balls a ray enters, and when. */
interface Met {
  readonly bodies: number[];
  readonly entries: number[];
}

/** Tests the ball around each body. */
function alongBalls({ bodies, shapes: { shapes } }: RayTargets, axes: number): VisitBodies {
  const { length } = bodies.shapes;
  const reaches = Float64Array.from(shapes, (shape) =>
    axes === 3 && shape?.kind === CORE_HALFSPACE ? Infinity : (shape?.boundingRadius ?? 0),
  );
  return function* (ray, _, visit, isDue) {
    const met: Met = { bodies: [], entries: [] };
    for (let first = 0; first < length; first += AT_ONCE) {
      meetBalls(ray, bodies, reaches, first, Math.min(first + AT_ONCE, length), met);
      if (isDue(2 * AT_ONCE)) yield;
    }
    const order = met.bodies.map((_body, i) => i).sort((a, b) => met.entries[a] - met.entries[b]);
    let most = ray.end;
    for (const i of order) {
      if (met.entries[i] > most) return;
      most = visit(met.bodies[i], met.entries[i]);
      if (isDue(0)) yield;
    }
  };
}

function meetBalls(
  { axes, origin, direction, radius, end }: BoxRay,
  { shapes: ids, positions, scales }: AnyBodies,
  reaches: Float64Array,
  first: number,
  stop: number,
  met: Met,
): void {
  const [ox, oy, oz] = origin;
  const [dx, dy] = direction;
  const dz = axes === 3 ? direction[2] : 0;
  const squared = dx * dx + dy * dy + dz * dz;
  const inverse = squared > 0 ? 1 / squared : 0;
  for (let i = first; i < stop; i++) {
    const x = positions[axes * i] - ox;
    const y = positions[axes * i + 1] - oy;
    const z = axes === 3 ? positions[axes * i + 2] - oz : 0;
    const distance = x * x + y * y + z * z;
    const middle = (x * dx + y * dy + z * dz) * inverse;
    const reach = reaches[ids[i]] * (scales ? scales[i] : 1) + radius;
    // The square of the enlarged radius, at least.
    const around = reach * reach * (1 + 4 * SLACK) + distance * SLACK * SLACK * 4;
    const half = around - (distance - middle * middle * squared);
    if (half < 0) continue;
    const time = squared > 0 ? Math.sqrt(half * inverse) : Infinity;
    if (middle + time < 0 || middle - time > end) continue;
    met.bodies.push(i);
    met.entries.push(Math.max(middle - time, 0));
  }
}
