/** A `Tester` as an engine, in this process or in a browser's page. */

import { addShapes } from './add-shapes.ts';
import type { Bodies, MovingBodies, Tester } from '../../src/api/types.ts';
import type {
  AdapterFacts,
  Answer,
  CallTimings,
  Engine,
  EngineFacts,
  ImpactAnswer,
  ImpactReply,
  Question,
  Reply,
} from './engine.ts';

export function testerEngine(
  tester: Tester,
  { name, runtime }: Pick<EngineFacts, 'name' | 'runtime'>,
  adapter: AdapterFacts | null,
): Engine {
  return {
    facts: { name, backend: tester.backend, runtime, adapter: { ...tester.adapter } },
    adapter,
    ...testerAnswers(tester),
  };
}

/** The methods of an engine, without its facts. */
export type Answering = Pick<Engine, 'load' | 'ask' | 'impacts' | 'close'>;

export function testerAnswers(tester: Tester): Answering {
  let bodies: Bodies | undefined;
  let ids: number[] = [];
  return {
    async load(shapes, given) {
      for (const id of ids) tester.removeShape(id);
      ids = [];
      ids = addShapes(tester, shapes);
      bodies = { ...given, shapes: given.shapes.map((shape) => ids[shape]) };
    },
    async ask(question) {
      if (!bodies) throw new Error('asked before bodies were loaded');
      return ask(tester, bodies, question);
    },
    async impacts(pairs, duration) {
      if (!bodies) throw new Error('asked before bodies were loaded');
      // If velocities are missing, the tester's error says so.
      return impacts(tester, bodies as MovingBodies, pairs, duration);
    },
    async close() {
      tester.dispose();
    },
  };
}

async function ask(tester: Tester, bodies: Bodies, { query, pairs, bounds, ...options }: Question): Promise<Reply> {
  const start = performance.now();
  const answer: Answer =
    query === 'contacts'
      ? await tester.contacts(bodies, pairs, { ...options, bounds })
      : await tester[query](bodies, pairs, options);
  return { answer, timings: timingsSince(start, tester) };
}

async function impacts(
  tester: Tester,
  bodies: MovingBodies,
  pairs: Uint32Array,
  duration: number,
): Promise<ImpactReply> {
  const start = performance.now();
  const answer: ImpactAnswer = await tester.impacts(bodies, pairs, { duration });
  return { answer, timings: timingsSince(start, tester) };
}

function timingsSince(start: number, { timings: { compile, kernels, readBack } }: Tester): CallTimings {
  return { total: performance.now() - start, compile, kernels, readBack };
}
