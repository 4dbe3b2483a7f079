/** The engines of the command line, and the reference itself, whose times are 64-bit. */

import { impact, type CpuMovingPose } from '../../../src/cpu.ts';
import type { Engine, EngineName } from '../../../verification/engines/engine.ts';
import { openEngine } from '../../../cli/open-engine.ts';
import { F32_ROUNDING, F64_ROUNDING } from '../../../src/shapes/tolerances.ts';
import type { Answers, Terms } from '../../../verification/judges/motion/judge.ts';
import type { MovingBodyArrays } from '../../../verification/judges/motion/moving.ts';
import type { Chunk } from './pairs.ts';

export const ENGINE_NAMES = ['reference', 'cpu', 'dawn', 'chrome', 'firefox'] as const satisfies (
  'reference' | EngineName
)[];
export type OpenEngineName = (typeof ENGINE_NAMES)[number];

export interface OpenEngine {
  name: OpenEngineName;
  /** Description for the report. */
  description: string;
  terms: Terms;
  ask(chunk: Chunk): Promise<Answers>;
  close(): Promise<void>;
}

/** A chunk on a software GPU may take minutes. */
const TIMEOUT_MS = 900_000;

export async function openByName(name: OpenEngineName): Promise<OpenEngine> {
  if (name === 'reference') {
    const description = 'narrowphase/cpu, double precision in and out';
    return {
      name,
      description,
      terms: { precision: 'reference', rounding: 8 * F64_ROUNDING },
      ask: askReference,
      close: async () => {},
    };
  }
  const { engine } = await openEngine(name, { timeout: TIMEOUT_MS, notice: (text) => console.error(text) });
  const { runtime, adapter } = engine.facts;
  const description =
    `${runtime}; ` +
    `${[adapter.description || adapter.vendor, adapter.architecture].filter(Boolean).join(', ')}${adapter.isSoftware ? ' (software)' : ''}`;
  // The engine `cpu` rounds its times to f32, as the kernels do.
  return {
    name,
    description,
    terms: { precision: 'kernels', rounding: F32_ROUNDING },
    ask: (chunk) => askEngine(engine, chunk),
    close: () => engine.close(),
  };
}

async function askEngine(engine: Engine, { descriptions, bodies, pairs, duration }: Chunk): Promise<Answers> {
  await engine.load(descriptions, bodies);
  return (await engine.impacts(pairs, duration)).answer;
}

async function askReference({ data, bodies, pairs, duration }: Chunk): Promise<Answers> {
  const count = pairs.length / 2;
  const answers = {
    status: new Uint8Array(count),
    time: new Float64Array(count),
    unclampedTime: new Float64Array(count),
    normal: new Float64Array(3 * count),
    point: new Float64Array(3 * count),
  };
  for (let i = 0; i < count; i++) {
    const [a, b] = [pairs[2 * i], pairs[2 * i + 1]];
    const { status, time, unclampedTime, normal, point } = impact(
      data[bodies.shapes[a]],
      poseOf(bodies, a),
      data[bodies.shapes[b]],
      poseOf(bodies, b),
      { duration },
    );
    answers.status[i] = status;
    answers.time[i] = time;
    answers.unclampedTime[i] = unclampedTime;
    answers.normal.set(normal, 3 * i);
    answers.point.set(point, 3 * i);
  }
  return answers;
}

/** The pose of a body as the reference takes it. */
export function poseOf(
  { positions, quaternions, linearVelocities, angularVelocities }: MovingBodyArrays,
  body: number,
): CpuMovingPose {
  const vector = (array: Float32Array | Float64Array): number[] => Array.from(array.subarray(3 * body, 3 * body + 3));
  return {
    position: vector(positions),
    quaternion: Array.from(quaternions.subarray(4 * body, 4 * body + 4)),
    linearVelocity: vector(linearVelocities),
    ...(angularVelocities && { angularVelocity: vector(angularVelocities) }),
  };
}
