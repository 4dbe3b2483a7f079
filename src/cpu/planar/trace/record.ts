/** Makes the steps of a trace in 2-D from what the searches' loops have. */
import type { Vec2 as Vector } from '../../../api/vectors.ts';
import {
  PLANAR_APPROACHING,
  PLANAR_CAST_MET,
  PLANAR_CAST_MISSED,
  PLANAR_CAST_STALLED,
  PLANAR_GJK_CONVERGED,
  PLANAR_GJK_ENCLOSED,
  PLANAR_GJK_FAR,
  PLANAR_GJK_NEAR,
  PLANAR_GJK_STALLED,
  PLANAR_GJK_TOUCHING,
  PLANAR_LEAVING,
  PLANAR_MEETING,
  PLANAR_MPR_FAR,
  PLANAR_MPR_FIRST,
  PLANAR_MPR_LEFT,
  PLANAR_MPR_OPEN,
  PLANAR_MPR_OVERLAPPING,
  PLANAR_MPR_REFINING,
  PLANAR_MPR_RIGHT,
  PLANAR_TOUCHING,
} from '../../../generated/constants.ts';
import { type Writers as SharedWriters, createSharedRecorder } from '../../trace/shared-recorder.ts';
import { type Vec2, cross2, dot, scale, subtract, vec2 } from '../math.ts';
import type { PlanarPair } from '../pair.ts';
import type { Recorder } from '../recorder.ts';
import type { Simplex } from '../simplex.ts';
import { type Point, cornerA, cornerB } from '../support.ts';
import { satProjections } from './sat-projections.ts';
import type { PlanarCrossingEndStep, PlanarEpaStep, PlanarSearchStep } from './steps.ts';

const at = vec2();

/** Outcomes of casts and of velocity EPA. */
const CAST_OUTCOMES: Record<number, PlanarCrossingEndStep['outcome']> = {
  [PLANAR_CAST_MISSED]: 'missed',
  [PLANAR_CAST_MET]: 'met',
  [PLANAR_CAST_STALLED]: 'stalled',
};

/** Names of the searches' states. */
const STATES = {
  gjk: {
    [PLANAR_GJK_CONVERGED]: 'converged',
    [PLANAR_GJK_FAR]: 'far',
    [PLANAR_GJK_NEAR]: 'near',
    [PLANAR_GJK_ENCLOSED]: 'enclosed',
    [PLANAR_GJK_TOUCHING]: 'touching',
    [PLANAR_GJK_STALLED]: 'stalled',
  },
  mprPhase: {
    [PLANAR_MPR_FIRST]: 'first',
    [PLANAR_MPR_LEFT]: 'second',
    [PLANAR_MPR_RIGHT]: 'second',
    [PLANAR_MPR_REFINING]: 'refine',
  },
  mpr: { [PLANAR_MPR_OVERLAPPING]: 'overlapping', [PLANAR_MPR_FAR]: 'far', [PLANAR_MPR_OPEN]: 'open' },
  cast: CAST_OUTCOMES,
  advance: {
    [PLANAR_APPROACHING]: 'approaching',
    [PLANAR_LEAVING]: 'leaving',
    [PLANAR_TOUCHING]: 'touching',
    [PLANAR_MEETING]: 'meeting',
  },
} as const;

/** A recorder that adds to the list. */
export function createRecorder(steps: PlanarSearchStep[]): Recorder {
  const writers = createWriters(steps);
  const { begin, length } = writers;
  return {
    ...createSharedRecorder(steps, writers),
    ...recordExpansions(steps, writers),
    ...recordManifolds(steps, writers),
    start: begin,
    sat(of) {
      begin(of);
      for (const { body, edge, direction, ...projections } of satProjections(of)) {
        const [lowA, highA, lowB, highB] = [
          projections.lowA,
          projections.highA,
          projections.lowB,
          projections.highB,
        ].map((height) => length(height + dot(direction, of.middleA)));
        const separation = length(projections.lowB - projections.highA);
        steps.push({ type: 'sat', body, edge, direction: unit(direction), lowA, highA, lowB, highB, separation });
      }
    },
  };
}

type Writers = SharedWriters<PlanarPair, Vec2, Point, Simplex, Vector>;

function createWriters(steps: PlanarSearchStep[]): Writers {
  let pair: PlanarPair | undefined;
  /** Searches have 1e30 for a bound that they don't know. */
  const length = (x: number): number => (Math.abs(x) < 1e30 ? x * pair!.unit : Math.sign(x) * Infinity);
  const point = ({ x, y }: Vec2): Vector => [length(x), length(y)];
  const place = ({ x, y }: Vec2): Vector => [length(x + pair!.middleA.x), length(y + pair!.middleA.y)];
  const support: Writers['support'] = ({ position, a, b }) => ({
    point: point(position),
    onA: place(cornerA(pair!, a, at)),
    onB: place(cornerB(pair!, b, at)),
  });
  return {
    length,
    unit,
    point,
    place,
    support,
    states: STATES,
    begin(of) {
      pair = of;
      if (steps.length > 0) return;
      const { translation, rotation, rotationA, radiusA, radiusB, middleB } = of;
      steps.push({
        type: 'pair',
        // From A's origin to B's.
        translation: place(subtract(translation, middleB, at)),
        rotation: unit(rotation),
        rotationA: unit(rotationA),
        radiusA: length(radiusA),
        radiusB: length(radiusB),
      });
    },
    simplexOf(simplex) {
      const weights = weightsOf(simplex);
      const { a, b, c, count } = simplex;
      return [a, b, c].slice(0, count).map((each, i) => ({ ...support(each), weight: weights[i] }));
    },
  };
}

/** EPA, on the difference and along the motion. */
function recordExpansions(
  steps: PlanarSearchStep[],
  { begin, length, support }: Writers,
): Pick<Recorder, 'epaStart' | 'epa' | 'epaSplit' | 'epaEnd' | 'crossing' | 'crossingEnd'> {
  return {
    epaStart(of, triangle) {
      begin(of);
      steps.push({
        type: 'epa-start',
        vertices: triangle.map((corner) => support(corner.point)),
        edges: triangle.map((_, i) => [i, (i + 1) % triangle.length]),
      });
    },
    epa(corner, { next, normal, level }, found, height, iteration) {
      steps.push({
        type: 'epa',
        iteration,
        edge: [corner, next],
        normal: unit(scale(normal, -1, at)),
        edgeHeight: length(-level),
        support: support(found),
        height: length(-height),
        apex: -1,
      });
    },
    epaSplit(corner) {
      (steps.at(-1) as PlanarEpaStep).apex = corner;
    },
    epaEnd(isFound) {
      const { normal, height, edgeHeight } = steps.at(-1) as PlanarEpaStep;
      const outcome = isFound ? 'converged' : 'stalled';
      steps.push({ type: 'epa-end', outcome, normal: [...normal], lower: height, upper: edgeHeight });
    },
    crossing(of, [left, right], outward, next, height, iteration) {
      begin(of);
      steps.push({
        type: 'crossing',
        iteration,
        left: support(left),
        right: support(right),
        normal: unit(scale(outward, -1, at)),
        support: support(next),
        height: length(height),
      });
    },
    crossingEnd(of, { state, travelled, normal }) {
      begin(of);
      const outcome = CAST_OUTCOMES[state];
      steps.push({ type: 'crossing-end', outcome, travelled: length(travelled), normal: unit(normal) });
    },
  };
}

function recordManifolds(steps: PlanarSearchStep[], { begin, length, point }: Writers): Pick<Recorder, 'manifold'> {
  return {
    manifold(of, edgeA, edgeB, ends, chosen, toContactFrame) {
      begin(of);
      const corner = (each: (typeof chosen)[0], isChosen: boolean) => ({
        position: point(toContactFrame(each.position)),
        distance: length(each.distance),
        isChosen,
      });
      const isKept = ({ position: { x, y } }: (typeof chosen)[0]): boolean =>
        chosen.some(({ position }) => position.x === x && position.y === y);
      steps.push({
        type: 'manifold',
        edgeA: edgeA.map(point),
        edgeB: edgeB.map(point),
        corners: [
          ...ends.filter((each) => !isKept(each)).map((each) => corner(each, false)),
          ...chosen.map((each) => corner(each, true)),
        ],
      });
    },
  };
}

/** A unit vector, without the sign of zero that turning it about leaves. */
function unit({ x, y }: Vec2): Vector {
  return [x + 0, y + 0];
}

/** Weights of the point of a simplex that is nearest to the origin. */
function weightsOf({ a, b, c, weight, count }: Simplex): number[] {
  if (count < 2) return [1];
  if (count === 2) return [weight, 1 - weight];
  const [p, q, r] = [a.position, b.position, c.position];
  const areas = [cross2(q, r), cross2(r, p), cross2(p, q)];
  const sum = areas[0] + areas[1] + areas[2];
  return areas.map((area) => area / sum);
}
