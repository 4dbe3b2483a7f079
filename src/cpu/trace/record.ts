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
  SECOND,
  THIRD,
  TOUCHING,
} from '../../generated/constants.ts';
import type { Vec3 as Vector } from '../../api/vectors.ts';
import type { GaussMap } from '../../shapes/gauss-map.ts';
import { faceVertex, type ContactFace } from '../contact-face/face.ts';
import { cornerCount, cornerPlace } from '../corners.ts';
import { type Vec3, subtract, transform, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import { polytope } from '../polytope.ts';
import type { Recorder } from '../recorder.ts';
import type { Simplex } from '../simplex.ts';
import { type Point, vertexA, vertexB } from '../support.ts';
import { satProjections } from './sat-projections.ts';
import { type Writers as SharedWriters, createSharedRecorder } from './shared-recorder.ts';
import type { SearchStep, TraceFace, TraceSupport } from './steps.ts';

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
  mprPhase: {
    [PROBING]: 'probe',
    [FIRST]: 'first',
    [SECOND]: 'second',
    [THIRD]: 'third',
    [REFINING]: 'refine',
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
  const writers = createWriters(steps);
  return {
    ...createSharedRecorder(steps, writers),
    ...recordBoxesAndCurves(steps, writers),
    ...recordExpansions(steps, writers),
    ...recordArcs(steps, writers),
    ...recordSweeps(steps, writers),
    ...recordManifolds(steps, writers),
  };
}

interface Writers extends SharedWriters<Pair, Vec3, Point, Simplex, Vector> {
  pointAt(positions: ArrayLike<number>, i: number): Vector;
  supportOf(position: Vector, idA: number, idB: number): TraceSupport;
  /** The normal of a facet, in A's frame, in the direction of the difference's normals. */
  facetNormal(isOfB: boolean, map: GaussMap, i: number): Vector;
}

function createWriters(steps: SearchStep[]): Writers {
  let pair: Pair | undefined;
  const length = (x: number): number => x * pair!.unit;
  const point = ({ x, y, z }: Vec3): Vector => [length(x), length(y), length(z)];
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
  return {
    length,
    unit,
    point,
    place,
    pointAt,
    supportOf,
    states: STATES,
    begin(of) {
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
    },
    support({ position, idA, idB }) {
      return supportOf(point(position), idA, idB);
    },
    simplexOf({ positions, ids, weights, count }) {
      return Array.from({ length: count }, (_, i) => ({
        ...supportOf(pointAt(positions, i), ids[2 * i], ids[2 * i + 1]),
        weight: weights[i],
      }));
    },
    facetNormal(isOfB, { normals }, i) {
      at.x = normals[3 * i];
      at.y = normals[3 * i + 1];
      at.z = normals[3 * i + 2];
      if (!isOfB) return unit(at);
      const { x, y, z } = transform(pair!.rotation, at, at);
      return [-x, -y, -z];
    },
  };
}

function recordBoxesAndCurves(
  steps: SearchStep[],
  { begin, length, pointAt }: Writers,
): Pick<Recorder, 'newton' | 'sat'> {
  return {
    newton(of, count, onB, apart) {
      begin(of);
      const b = pointAt(onB, 0);
      const e = pointAt(apart, 0);
      const onA = b.map((x, k) => x - e[k]) as Vector;
      steps.push({ type: 'newton', iteration: count, onA, onB: b, distance: Math.hypot(...e) });
    },
    sat(of, far) {
      begin(of);
      for (const { axis, direction, centre, radiusA, radiusB, separation } of satProjections(of, far))
        steps.push({
          type: 'sat',
          axis,
          direction,
          centre: length(centre),
          radiusA: length(radiusA),
          radiusB: length(radiusB),
          separation: length(separation),
        });
    },
  };
}

/** EPA, on the difference and along the motion. */
function recordExpansions(
  steps: SearchStep[],
  { begin, length, point, pointAt, support, supportOf }: Writers,
): Pick<Recorder, 'epaStart' | 'epa' | 'horizon' | 'epaEnd' | 'refine' | 'crossing'> {
  return {
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
    crossing(of, face, normal, next, exit, gap) {
      const last = steps.at(-1);
      begin(of);
      steps.push({
        type: 'crossing',
        iteration: last?.type === 'crossing' ? last.iteration + 1 : 1,
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
  };
}

function recordArcs(
  steps: SearchStep[],
  { begin, length, facetNormal }: Writers,
): Pick<Recorder, 'arcsStart' | 'arcsFace' | 'arc' | 'arcsEnd'> {
  let maps: [GaussMap, GaussMap] | undefined;
  return {
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
      const normal = facetNormal(isOfB, maps![isOfB ? 1 : 0], face);
      steps.push({ type: 'arcs-face', body: isOfB ? 'b' : 'a', face, normal, height: length(height), vertex });
    },
    arc(isOfB, arc, share, height, left, right) {
      const map = maps![isOfB ? 1 : 0];
      const ends: [number, number] = [map.arcs[2 * arc], map.arcs[2 * arc + 1]];
      const from = facetNormal(isOfB, map, ends[0]);
      const to = facetNormal(isOfB, map, ends[1]);
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
  };
}

function recordSweeps(
  steps: SearchStep[],
  { begin, length, point, pointAt }: Writers,
): Pick<Recorder, 'swept' | 'sweptAxis'> {
  return {
    swept(of, normal, next, { simplex: { positions, count } }) {
      begin(of);
      const simplex = Array.from({ length: count }, (_, i) => pointAt(positions, i));
      steps.push({ type: 'swept', direction: unit(normal), support: point(next.position), simplex });
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
  };
}

function recordManifolds(steps: SearchStep[], { length, point }: Writers): Pick<Recorder, 'manifold'> {
  const cornersOf = (face: ContactFace): Vector[] =>
    Array.from({ length: face.count }, (_, i) => point(faceVertex(face, i, at)));
  return {
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
