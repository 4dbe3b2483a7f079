/** Makes the steps of a trace from what the searches' loops have. */
import {
  APPROACHING,
  BISECTING,
  CAST_INSIDE,
  CAST_MET,
  CAST_MISSED,
  CAST_STALLED,
  EPA_CONVERGED,
  FIRST,
  GJK_CONVERGED,
  GJK_ENCLOSED,
  GJK_FAR,
  GJK_NEAR,
  GJK_STALLED,
  GJK_TOUCHING,
  LEAVING,
  MEETING,
  MPR_FAR,
  MPR_OPEN,
  MPR_OVERLAPPING,
  PROBING,
  REFINING,
  SAT_PARALLEL_ULPS,
  SECOND,
  TOUCHING,
} from '../../generated/constants.ts';
import type { Vec3 as Vector } from '../../api/vectors.ts';
import type { GaussMap } from '../../shapes/gauss-map.ts';
import { faceVertex, type ContactFace } from '../contact-face/face.ts';
import { cornerCount, cornerPlace } from '../corners.ts';
import { EPSILON, type Vec3, subtract, transform, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import { polytope } from '../polytope.ts';
import type { Recorder } from '../recorder.ts';
import type { Simplex } from '../simplex.ts';
import { type Point, vertexA, vertexB } from '../support.ts';
import { createSharedRecorder } from './shared-recorder.ts';
import type { GjkEndStep, MprStep, SearchStep, TraceFace, TraceSupport } from './steps.ts';

const at = vec3();

/** Names of the searches' states. */
const STATES = {
  gjk: {
    [GJK_CONVERGED]: 'converged',
    [GJK_FAR]: 'far',
    [GJK_NEAR]: 'near',
    [GJK_ENCLOSED]: 'enclosed',
    [GJK_TOUCHING]: 'touching',
    [GJK_STALLED]: 'stalled',
  },
  mpr: { [MPR_OVERLAPPING]: 'overlapping', [MPR_FAR]: 'far', [MPR_OPEN]: 'open' },
  cast: { [CAST_MISSED]: 'missed', [CAST_MET]: 'met', [CAST_INSIDE]: 'inside', [CAST_STALLED]: 'stalled' },
  advance: {
    [APPROACHING]: 'approaching',
    [LEAVING]: 'leaving',
    [TOUCHING]: 'touching',
    [BISECTING]: 'bisecting',
    [MEETING]: 'meeting',
  },
} as const;

/** A recorder that adds to the list. */
export function createRecorder(steps: SearchStep[]): Recorder {
  /** The pair of the search at hand. Its unit is that of all lengths. */
  let pair: Pair | undefined;
  let maps: [GaussMap, GaussMap] | undefined;
  let iteration = 0;

  const length = (x: number): number => x * pair!.unit;
  const point = ({ x, y, z }: Vec3): Vector => [length(x), length(y), length(z)];
  /** A point of a body, which pairs have from A's middle. */
  const place = ({ x, y, z }: Vec3): Vector => {
    const { middleA } = pair!;
    return [length(x + middleA.x), length(y + middleA.y), length(z + middleA.z)];
  };
  const pointAt = (p: ArrayLike<number>, i: number): Vector => [
    length(p[3 * i]),
    length(p[3 * i + 1]),
    length(p[3 * i + 2]),
  ];

  const supportOf = (position: Vector, idA: number, idB: number): TraceSupport => ({
    point: position,
    onA: place(vertexA(pair!, idA, at)),
    onB: place(vertexB(pair!, idB, at)),
  });
  const support = ({ position, idA, idB }: Point): TraceSupport => supportOf(point(position), idA, idB);
  const simplexOf = ({ positions, ids, weights, count }: Simplex): GjkEndStep['simplex'] =>
    Array.from({ length: count }, (_, i) => ({
      ...supportOf(pointAt(positions, i), ids[2 * i], ids[2 * i + 1]),
      weight: weights[i],
    }));
  const begin = (of: Pair): void => {
    pair = of;
    if (steps.length > 0) return;
    const { translation, rotation, rotationA, radiusA, radiusB, middleB } = of;
    steps.push({
      type: 'pair',
      // From A's origin to B's.
      translation: place(subtract(translation, middleB, at)),
      rotation: Array.from(rotation),
      rotationA: Array.from(rotationA),
      radiusA: length(radiusA),
      radiusB: length(radiusB),
    });
  };
  const directionIn = (isOfB: boolean, { normals }: GaussMap, i: number, to: Vec3): Vec3 => {
    to.x = normals[3 * i];
    to.y = normals[3 * i + 1];
    to.z = normals[3 * i + 2];
    if (!isOfB) return to;
    transform(pair!.rotation, to, to);
    to.x = -to.x;
    to.y = -to.y;
    to.z = -to.z;
    return to;
  };

  const cornersOf = (face: ContactFace): Vector[] =>
    Array.from({ length: face.count }, (_, i) => point(faceVertex(face, i, at)));

  return {
    ...createSharedRecorder(steps, { begin, length, unit, support, simplexOf, states: STATES }),
    closedForm(of, { normal, lower, upper, onA, onB }) {
      begin(of);
      steps.push({
        type: 'closed-form',
        normal: unit(normal),
        lower: length(lower),
        upper: length(upper),
        onA: place(onA),
        onB: place(onB),
      });
    },
    newton(of, count, onB, apart) {
      begin(of);
      const b = pointAt(onB, 0);
      const e = pointAt(apart, 0);
      const onA = b.map((x, k) => x - e[k]) as Vector;
      steps.push({ type: 'newton', iteration: count, onA, onB: b, distance: Math.hypot(...e) });
    },
    sat(of, far) {
      begin(of);
      let greatest = -Infinity;
      for (let axis = 0; axis < 15; axis++) {
        if (axis > 5 && axis % 3 === 0 && greatest > far) return;
        const direction = axisOf(of, axis);
        const isSkipped = direction.every((x) => x === 0);
        const { centre, radiusA, radiusB } = projectionOf(of, direction);
        const separation = Math.abs(centre) - (radiusA + radiusB);
        if (!isSkipped) greatest = Math.max(greatest, separation);
        steps.push({
          type: 'sat',
          axis,
          direction,
          centre: length(centre),
          radiusA: length(radiusA),
          radiusB: length(radiusB),
          separation: length(separation),
        });
      }
    },
    mpr(of, phase, direction, found, { a, b, c }, ray, inside) {
      if (steps.at(-1)?.type !== 'mpr') iteration = 0;
      begin(of);
      const corners =
        phase === REFINING ? [a, b, c] : phase === SECOND ? [a] : [FIRST, PROBING].includes(phase) ? [] : [a, b];
      steps.push({
        type: 'mpr',
        iteration: ++iteration,
        phase: mprPhase(phase),
        direction: unit(direction),
        support: support(found),
        inside: point(inside),
        ray: unit(ray),
        portal: corners.map(support),
      });
    },
    epaStart(of) {
      begin(of);
      const { positions, ids, vertexCount, faceCount } = polytope;
      steps.push({
        type: 'epa-start',
        vertices: Array.from({ length: vertexCount }, (_, i) =>
          supportOf(pointAt(positions, i), ids[2 * i], ids[2 * i + 1]),
        ),
        faces: Array.from({ length: faceCount }, (_, f) => faceOf(f)),
      });
    },
    epa(face, found, height, { iterations, lower, upper }) {
      const { planes } = polytope;
      steps.push({
        type: 'epa',
        iteration: iterations,
        face: faceOf(face),
        normal: [planes[4 * face], planes[4 * face + 1], planes[4 * face + 2]],
        faceHeight: length(planes[4 * face + 3]),
        support: support(found),
        height: length(height),
        lower: length(lower),
        upper: length(upper),
        removed: [],
        horizon: [],
        apex: -1,
      });
    },
    horizon(visible, count, from, edges, beyond, apex) {
      const step = steps.at(-1);
      if (step?.type !== 'epa' && step?.type !== 'crossing') return;
      for (let n = 0; n < count; n++) step.removed.push(faceOf(visible[n]));
      for (let e = 0; e < edges; e++) step.horizon.push([from[e], polytope.corners[beyond[from[e]]]]);
      step.apex = apex;
    },
    epaEnd({ state, normal, lower, upper }) {
      const outcome = state === EPA_CONVERGED ? 'converged' : 'stalled';
      steps.push({ type: 'epa-end', outcome, normal: unit(normal), lower: length(lower), upper: length(upper) });
    },
    refine({ normal, lower, upper }) {
      steps.push({ type: 'refine', normal: unit(normal), lower: length(lower), upper: length(upper) });
    },
    arcsStart(of, mapA, mapB, arcsOfB, lower) {
      begin(of);
      maps = [mapA, mapB];
      steps.push({
        type: 'arcs-start',
        arcsOf: arcsOfB ? 'b' : 'a',
        arcs: (arcsOfB ? mapB : mapA).arcs.length / 2,
        faces: mapA.offsets.length + mapB.offsets.length,
        lower: length(lower),
      });
    },
    arcsFace(isOfB, face, height, vertex) {
      const normal = unit(directionIn(isOfB, maps![isOfB ? 1 : 0], face, at));
      steps.push({ type: 'arcs-face', body: isOfB ? 'b' : 'a', face, normal, height: length(height), vertex });
    },
    arc(isOfB, arc, share, height, left, right) {
      const map = maps![isOfB ? 1 : 0];
      const ends: [number, number] = [map.arcs[2 * arc], map.arcs[2 * arc + 1]];
      const from = unit(directionIn(isOfB, map, ends[0], at));
      const to = unit(directionIn(isOfB, map, ends[1], at));
      const chord = from.map((x, k) => x + share * (to[k] - x));
      const size = Math.hypot(...chord);
      steps.push({
        type: 'arc',
        body: isOfB ? 'b' : 'a',
        arc,
        ends,
        at: share,
        normal: chord.map((x) => x / size) as Vector,
        height: length(height),
        vertices: [left, right],
      });
    },
    arcsEnd({ normal, lower, upper }) {
      steps.push({ type: 'arcs-end', normal: unit(normal), lower: length(lower), upper: length(upper) });
    },
    swept(of, normal, next, { simplex: { positions, count } }) {
      begin(of);
      const simplex = Array.from({ length: count }, (_, i) => pointAt(positions, i));
      steps.push({ type: 'swept', direction: unit(normal), support: point(next.position), simplex });
    },
    crossing(of, face, normal, next, exit, gap) {
      iteration = steps.at(-1)?.type === 'crossing' ? iteration + 1 : 1;
      begin(of);
      steps.push({
        type: 'crossing',
        iteration,
        face: faceOf(face),
        normal: unit(normal),
        support: point(next.position),
        exit: length(exit),
        gap: length(gap),
        removed: [],
        horizon: [],
        apex: -1,
      });
    },
    sweptAxis(of, axis, normal, enter, leave, rate) {
      begin(of);
      steps.push({
        type: 'swept-sat',
        axis,
        direction: unit(normal),
        enter: length(enter),
        leave: length(leave),
        rate,
      });
    },
    manifold(faceA, faceB, chosen, count) {
      const corners = Array.from({ length: cornerCount() }, (_, i) => ({
        position: [0, 1, 2].map((k) => length(cornerPlace(i, k as 0 | 1 | 2))) as Vector,
        distance: length(cornerPlace(i, 3)),
        isChosen: Array.from(chosen).slice(0, count).includes(i),
      }));
      steps.push({ type: 'manifold', faceA: cornersOf(faceA), faceB: cornersOf(faceB), corners });
    },
  };
}

function unit({ x, y, z }: Vec3): Vector {
  return [x, y, z];
}

function faceOf(f: number): TraceFace {
  const { corners } = polytope;
  return [corners[4 * f], corners[4 * f + 1], corners[4 * f + 2]];
}

/** The unit vector of an axis of SAT; zeros for the edge axis of parallel edges. */
function axisOf({ rotation }: Pair, axis: number): Vector {
  if (axis < 3) return [0, 1, 2].map((k) => (k === axis ? 1 : 0)) as Vector;
  if (axis < 6) return Array.from(rotation.subarray(3 * axis - 9, 3 * axis - 6)) as Vector;
  const u = (Math.floor((axis - 6) / 3) + 1) % 3;
  const v = (u + 1) % 3;
  const j = (axis - 6) % 3;
  const sine = Math.hypot(rotation[3 * j + u], rotation[3 * j + v]);
  const direction: Vector = [0, 0, 0];
  if (sine <= SAT_PARALLEL_ULPS * EPSILON) return direction;
  direction[u] = -rotation[3 * j + v] / sine;
  direction[v] = rotation[3 * j + u] / sine;
  return direction;
}

/** B's centre and half the lengths of two boxes along a unit vector. */
function projectionOf({ coreA, coreB, rotation, translation }: Pair, [x, y, z]: Vector) {
  const a = coreA.halfExtents;
  const b = coreB.halfExtents;
  let radiusB = 0;
  for (let k = 0; k < 3; k++)
    radiusB += Math.abs(x * rotation[3 * k] + y * rotation[3 * k + 1] + z * rotation[3 * k + 2]) * b[k];
  return {
    centre: x * translation.x + y * translation.y + z * translation.z,
    radiusA: Math.abs(x) * a[0] + Math.abs(y) * a[1] + Math.abs(z) * a[2],
    radiusB,
  };
}

function mprPhase(phase: number): MprStep['phase'] {
  if (phase === PROBING) return 'probe';
  if (phase === FIRST) return 'first';
  if (phase === SECOND) return 'second';
  return phase === REFINING ? 'refine' : 'third';
}
