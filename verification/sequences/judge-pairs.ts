/** Judges answers for pairs in 3-D by the double-precision reference, within the tolerances of docs/accuracy.md. */

import { makeShapeData } from '../../src/shapes/shape-data.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status } from '../../src/api/types.ts';
import { createPair, makePair } from '../../src/cpu/pair.ts';
import { isCurved } from '../../src/shapes/kinds.ts';
import { F32_ROUNDING, toleranceOfPair } from '../../src/shapes/tolerances.ts';
import type { Answer } from '../engines/engine.ts';
import { judge, termsOf } from '../judges/contact.ts';
import { createVerdict } from '../judges/faults.ts';
import { createGap, gapOf } from '../judges/motion/gap.ts';
import { createVerdict as createMotionVerdict, judge as judgeMotion } from '../judges/motion/judge.ts';
import { createMoving, takePair } from '../judges/motion/moving.ts';
import { askReference, createReference, poseOfPair, setKnownDistance, type Reference } from '../judges/reference.ts';
import type { KnownShape, Scene } from './scene.ts';
import type { Way } from './ways.ts';

export type Columns = Record<string, ArrayLike<number>> & { count: number };

export interface Judged {
  way: Way;
  margin: number | undefined;
  duration?: number;
  scene: Scene;
  shapes: readonly KnownShape[];
  /** The pairs to judge, by their indices. */
  chosen: readonly number[];
}

const reference = createReference();
const verdict = createVerdict();
const motionVerdict = createMotionVerdict();

/** What is wrong with an answer that has a slot per pair, in words. */
export function pairFaults(answer: Columns, judged: Judged): string[] {
  const { way, scene, shapes, chosen } = judged;
  const shapeData: ShapeData[] = [];
  for (const { id, description } of shapes) shapeData[id] = makeShapeData(description as ShapeDescription);
  const { positions, shapes: ids, scales, quaternions } = scene.bodies;
  const all = { ...scene.bodies, scales: scales ?? new Float32Array(ids.length).fill(1) };
  const bodies = {
    shapes: ids,
    positions: Float64Array.from(positions),
    quaternions: quaternions!,
    scales: all.scales,
  };
  const faults: string[] = [];
  for (const pair of chosen) {
    const [a, b] = [scene.pairs[2 * pair], scene.pairs[2 * pair + 1]];
    const note = (found: readonly string[], known?: Reference): void => {
      if (found.length === 0) return;
      const values = columnsOf(answer).map(([name, column]) => `${name} ${slotOf(column, pair, answer.count)}`);
      const truth = known ? `, true distance ${known.known.low} to ${known.known.high}, size ${known.size}` : '';
      const types = [a, b].map((body) => JSON.stringify(shapes.find(({ id }) => id === ids[body])?.description));
      faults.push(
        `pair ${pair} (${a}, ${b}): ${found.join(', ')}${truth}; ${values.join(', ')}; ${types.join(' and ')}`,
      );
    };
    if (Math.max(a, b) >= ids.length) {
      const isEmpty = columnsOf(answer).every(
        ([name, column]) => ['pair', 'a', 'b', 'status'].includes(name) || isZero(column, pair, answer.count),
      );
      note(answer.status[pair] === Status.InvalidInput && isEmpty ? [] : ['an invalid pair has an answer']);
      continue;
    }
    if (way.query === 'impacts') {
      note(motionFaults(answer, pair, shapeData, judged));
      continue;
    }
    poseOfPair({ shapeData, bodies }, a, b, reference);
    setKnownDistance(askReference(reference), reference.known);
    note(distanceFaults(answer, pair, judged), reference);
  }
  return faults;
}

function distanceFaults(answer: Columns, pair: number, { way, margin = 0 }: Judged): string[] {
  const { query, algorithm } = way;
  const status = answer.status[pair];
  const isOpen = status === Status.NotConverged;
  const distance = query === 'manifolds' ? answer.contactDistance : answer.distance;
  const isListed =
    query === 'intersects'
      ? answer.hit[pair] === 1
      : isOpen
        ? reference.known.low <= margin
        : status <= 1 && distance[pair] <= margin;
  // MPR's depth is an upper bound. Manifolds are judged as such.
  const isDepthless =
    query === 'manifolds' || (algorithm === 'mpr' && query === 'contacts' && status === Status.Overlapping);
  const judgedQuery = isDepthless ? 'intersects' : (query as 'intersects' | 'distances' | 'contacts');
  judge(answer as unknown as Answer, pair, isListed, reference, termsOf('webgpu', judgedQuery, margin), verdict);
  return [
    ...verdict.faults,
    ...(query === 'manifolds' ? manifoldFaults(answer, pair, margin, algorithm === 'mpr') : []),
  ];
}

const POINT = makeShapeData({ type: 'sphere', radius: 0 });

function manifoldFaults(answer: Columns, pair: number, margin: number, isBound: boolean): string[] {
  const { known, size, shapeA, shapeB } = reference;
  const t = toleranceOfPair('kernels', isCurved(shapeA.kind) || isCurved(shapeB.kind), known.low <= 0) * size;
  const faults: string[] = [];
  const status = answer.status[pair];
  const depth = answer.contactDistance[pair];
  const count = answer.pointCount[pair];
  const isHit = status <= 1 && depth <= margin;
  if (status === Status.NotConverged) return [];
  if (!isBound && depth <= margin && !(depth >= known.low - t && depth <= known.high + t))
    faults.push('contactDistance');
  if (isHit !== count > 0) faults.push('pointCount');
  for (let i = 0; i < 4; i++) {
    const distance = answer.distance[4 * pair + i];
    const at = [0, 1, 2].map((k) => answer.position[12 * pair + 3 * i + k]);
    const feature = answer.feature[4 * pair + i];
    if (i >= count) {
      if ([...at, distance, feature].some((x) => x !== 0)) faults.push(`point ${i} beyond the count`);
      continue;
    }
    if (i === 0 && !(Math.abs(distance - depth) <= 2 * t + 1e-4 * size)) faults.push('deepest point');
    if (!(distance <= margin + t)) faults.push(`point ${i} beyond the margin`);
    if (feature === 0) faults.push(`point ${i} without a feature`);
  }
  return faults;
}

const moving = createMoving(POINT);
const startGap = createGap();
const startPair = createPair();

function motionFaults(answer: Columns, pair: number, shapeData: readonly ShapeData[], judged: Judged): string[] {
  const { scene, way, margin, duration = 0 } = judged;
  // Its judge knows neither margins nor scales.
  if (margin !== 0 || scene.bodies.scales) return [];
  const [a, b] = [scene.pairs[2 * pair], scene.pairs[2 * pair + 1]];
  takePair(shapeData, scene.bodies as never, a, b, duration, moving);
  if (!way.stopAtPenetration) {
    const poseA = { scale: 1, quaternion: moving.quaternionA };
    const poseB = { scale: 1, quaternion: moving.quaternionB };
    makePair(moving.shapeA, poseA, moving.shapeB, poseB, moving.offset, startPair);
    // Bodies that overlap at the start may pass.
    if (!(gapOf(startPair, moving.shapeA, moving.shapeB, startGap).distance > 1e-3 * moving.reach)) return [];
  }
  const terms = { precision: 'kernels', rounding: 2 * F32_ROUNDING } as const;
  judgeMotion(moving, answer as never, pair, terms, motionVerdict);
  return motionVerdict.isUnknown ? [] : [...motionVerdict.faults];
}

function columnsOf(answer: Columns): [name: string, column: ArrayLike<number>][] {
  return Object.entries(answer).filter(([, column]) => ArrayBuffer.isView(column)) as [string, Float32Array][];
}

function slotOf(column: ArrayLike<number>, slot: number, count: number): string {
  const width = Math.floor(column.length / count);
  return Array.from({ length: width }, (_, k) => column[width * slot + k]).join(' ');
}

function isZero(column: ArrayLike<number>, slot: number, count: number): boolean {
  const width = Math.floor(column.length / count);
  return Array.from({ length: width }, (_, k) => column[width * slot + k]).every((x) => x === 0);
}
