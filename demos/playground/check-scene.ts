/** Checks a scene from an address, which anyone may have written. */

import { createShape, planar } from 'narrowphase/cpu';
import { LENGTHS, type AnyShape, type BodyState, type PlaygroundScene } from './scene.ts';

const ALGORITHMS = ['auto', 'sat', 'gjk', 'mpr'] as const;

/** Largest velocity and coordinate that the page takes. */
const MOST = 1e6;
/** WebGPU and CPU take at most 32 radians of rotation within the duration. */
const MOST_TURN = 32;

/** Throws an error of one sentence if the value is not a scene. */
export function checkScene(value: unknown): PlaygroundScene {
  const { dimension, bodies, algorithm, margin, duration } = objectOf(value, 'the scene');
  if (dimension !== 2 && dimension !== 3) refuse('dimension', dimension, '2 or 3');
  if (!Array.isArray(bodies) || bodies.length !== 2) refuse('bodies', bodies, 'a list of two bodies');
  if (!(ALGORITHMS as readonly unknown[]).includes(algorithm)) refuse('algorithm', algorithm, ALGORITHMS.join(', '));
  const scene: PlaygroundScene = {
    dimension,
    bodies: bodies.map((body: unknown, i) => checkBody(body, `bodies[${i}]`, dimension)) as [BodyState, BodyState],
    algorithm: algorithm as PlaygroundScene['algorithm'],
    margin: checkNumber(margin, 'margin', 0, MOST),
    duration: checkNumber(duration, 'duration', 0, 1000),
  };
  const fastest = Math.max(...scene.bodies.map(({ angular }) => Math.hypot(...angular)));
  if (fastest * scene.duration > MOST_TURN)
    throw new Error(`a body rotates by more than ${MOST_TURN} radians within ${scene.duration} s`);
  return scene;
}

/** Throws the package's own error for a description that it refuses. */
export function checkShape(shape: AnyShape, dimension: 2 | 3): void {
  if (dimension === 2) planar.createShape(shape as Parameters<typeof planar.createShape>[0]);
  else createShape(shape as Parameters<typeof createShape>[0]);
}

function checkBody(value: unknown, path: string, dimension: 2 | 3): BodyState {
  const body = objectOf(value, path);
  const numbers = (field: keyof (typeof LENGTHS)[3]): number[] => {
    const list = body[field];
    const length = LENGTHS[dimension][field];
    if (!Array.isArray(list) || list.length !== length) refuse(`${path}.${field}`, list, `${length} numbers`);
    return list.map((each: unknown, i) => checkNumber(each, `${path}.${field}[${i}]`, -MOST, MOST));
  };
  const shape = objectOf(body.shape, `${path}.shape`) as unknown as AnyShape;
  if ((shape as { type: unknown }).type === 'halfspace')
    throw new Error(`${path}.shape is a half-space, which the page does not draw`);
  checkShape(shape, dimension);
  const rotation = numbers('rotation');
  if (dimension === 3 && Math.hypot(...rotation) < 1e-6)
    refuse(`${path}.rotation`, rotation, 'a quaternion that is not 0');
  return { shape, position: numbers('position'), rotation, linear: numbers('linear'), angular: numbers('angular') };
}

function objectOf(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, value, 'an object');
  return value as Record<string, unknown>;
}

function checkNumber(value: unknown, path: string, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most))
    refuse(path, value, `a number from ${least} to ${most}`);
  return value;
}

function refuse(path: string, value: unknown, expected: string): never {
  throw new Error(`${path} is ${JSON.stringify(value)?.slice(0, 60)}, expected ${expected}`);
}
