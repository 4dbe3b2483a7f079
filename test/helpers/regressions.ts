/**
 * Captures in verification/captures are tests: each is asked again of a tester and judged by the reference. Lengths may be off by
 * the tolerance k of the shapes times the size of the pair, and by the rounding of results to f32.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Capture, PlanarTester, SpaceCapture, Tester } from '../../src/api/types.ts';
import { captureInput, parseCapture, traceCapture } from '../../src/cpu.ts';
import { makePlanarShapeData } from '../../src/shapes/planar-shape-data.ts';
import { hasCurvedPart } from '../../src/shapes/parts.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { F32_ROUNDING, toleranceOfPair, type Precision } from '../../src/shapes/tolerances.ts';

const FOLDER = fileURLToPath(new URL('../../verification/captures', import.meta.url));

/** The files' names and captures. */
export function regressions(): [string, Capture][] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.map((file) => [file, parseCapture(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')))]);
}

type Item = Record<string, unknown>;

/** The tester's answers for a capture. */
export async function answersOf(tester: Tester | PlanarTester, capture: Capture): Promise<Item[]> {
  const space = tester as Tester;
  const ids = capture.shapes.map((shape) => space.addShape(shape as SpaceCapture['shapes'][0]));
  const { bodies, pairs, options } = captureInput(capture as SpaceCapture, ids as [number, number]);
  const again = await space.capture(bodies, pairs, 0, { query: capture.query, ...options });
  for (const id of ids) tester.removeShape(id);
  return [again.result].flat() as unknown as Item[];
}

/** The reference's answers: those of the trace for two convex shapes, otherwise those of a CPU tester. */
export async function referenceOf(cpu: Tester | PlanarTester, capture: Capture): Promise<Item[]> {
  const isConvex = capture.shapes.every(({ type }) => type !== 'compound' && type !== 'mesh');
  if (capture.dimension === 2 || !isConvex) return answersOf(cpu, capture);
  const last = traceCapture(capture).at(-1)!;
  if (last.type !== 'result') throw new Error(`the trace ends with ${last.type}`);
  const { result } = last;
  return [{ ...result, ...('points' in result && { contactDistance: result.distance }) }];
}

/** What is wrong with answers, in words. */
export function faultsOf(capture: Capture, answers: Item[], reference: Item[], precision: Precision): string[] {
  if (answers.length !== reference.length) return [`${answers.length} answers, expected ${reference.length}`];
  return answers.flatMap((answer, i) => faultsOfItem(capture, answer, reference[i], precision));
}

function faultsOfItem(capture: Capture, answer: Item, expected: Item, precision: Precision): string[] {
  const length = 'contactDistance' in answer ? 'contactDistance' : 'distance';
  const truth = Number(expected[length] ?? 0);
  const tolerance = toleranceOf(capture, precision, truth <= 0) + F32_ROUNDING * Math.abs(truth);
  const faults: string[] = [];
  if (answer.status !== expected.status && !(length in answer && Math.abs(truth) <= tolerance))
    faults.push(`status ${String(answer.status)}, expected ${String(expected.status)}`);
  if (length in answer && Math.abs(Number(answer[length]) - truth) > tolerance)
    faults.push(`${length} ${String(answer[length])}, expected ${truth} to ${tolerance}`);
  if ('hit' in answer && answer.hit !== expected.hit) faults.push(`hit ${String(answer.hit)}`);
  if ('time' in answer) faults.push(...faultsOfTime(capture, Number(answer.time), Number(expected.time), tolerance));
  const { normal, pointA, pointB, distance } = answer as {
    normal?: number[];
    pointA?: number[];
    pointB?: number[];
    distance?: number;
  };
  if (
    normal &&
    Number(expected.status) < 2 &&
    normal.some((x) => x !== 0) &&
    Math.abs(Math.hypot(...normal) - 1) > 1e-5
  )
    faults.push(`normal of length ${Math.hypot(...normal)}`);
  if (normal && pointA && pointB && pointA.concat(pointB).some((x) => x !== 0)) {
    const miss = Math.hypot(...pointB.map((x, k) => x - pointA[k] - Number(distance) * normal[k]));
    const rounding = 4 * F32_ROUNDING * Math.hypot(...pointA, ...pointB);
    if (miss > tolerance + rounding) faults.push(`points miss each other by ${miss}`);
  }
  return faults;
}

/** The time may be off by what the bodies take to come nearer by the tolerance. */
function faultsOfTime({ poses }: Capture, time: number, expected: number, tolerance: number): string[] {
  const [a, b] = poses.map(({ linearVelocity }) => linearVelocity as number[]);
  const speed = Math.hypot(...a.map((x, k) => b[k] - x));
  const most = (1e3 * tolerance) / Math.max(speed, 1e-30);
  return time === expected || Math.abs(time - expected) <= most
    ? []
    : [`time ${time}, expected ${expected} to ${most}`];
}

function toleranceOf(capture: Capture, precision: Precision, isOverlapping: boolean): number {
  let size = 0;
  let hasCurved = false;
  capture.shapes.forEach((shape, i) => {
    const { scale = 1 } = capture.poses[i] as { scale?: number };
    const { matrix } = capture.poses[i] as { matrix?: number[] };
    const factor = matrix ? Math.hypot(matrix[0], matrix[1], matrix[2]) : scale;
    const data = capture.dimension === 3 ? makeShapeData(shape as never) : makePlanarShapeData(shape as never);
    size += factor * data.boundingRadius;
    hasCurved ||= capture.dimension === 3 && hasCurvedPart(data as ReturnType<typeof makeShapeData>);
  });
  const [p, q] = capture.poses.map(
    (pose) => ('matrix' in pose ? pose.matrix.slice(12, 15) : pose.position) as number[],
  );
  return (
    toleranceOfPair(precision, hasCurved, isOverlapping) * Math.max(size, Math.hypot(...p.map((x, k) => q[k] - x)))
  );
}
