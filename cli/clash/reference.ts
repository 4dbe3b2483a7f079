/**
 * The double-precision backend, in this process whichever engine the check has: it decides what the engine's tolerance
 * leaves open, and measures bodies of parts. It is opened when it is first asked.
 */

import type { Bodies, Tester } from '../../src/api/types.ts';
import { addShapes } from '../../verification/engines/add-shapes.ts';
import type { Scene } from '../scene/scene.ts';
import type { Answer } from '../../verification/engines/engine.ts';

/** The fields of an answer to `contacts` or `distances` that clashes are made of. */
export type ContactAnswer = Pick<Answer, 'count' | 'pair' | 'status' | 'statusCounts'> &
  Required<Pick<Answer, 'distance' | 'normal' | 'pointA' | 'pointB'>>;

export type OpenTester = () => Promise<Tester>;

/** Bodies in place of those of the scene. */
export interface OtherBodies {
  shapes: number[];
  positions: number[];
  quaternions: number[];
  scales: number[];
}

export interface Reference {
  /** Of bodies of the scene: all pairs. */
  contacts(pairs: Uint32Array, margin: number): Promise<ContactAnswer>;
  /** Of bodies of the scene: the pairs that are within the margin of each other. */
  distances(pairs: Uint32Array, margin: number): Promise<ContactAnswer>;
  /** The pairs of parts of bodies of the scene that touch or overlap, by pair. */
  partsThatMeet(pairs: Uint32Array): Promise<{ pair: Uint32Array; partA: Uint32Array; partB: Uint32Array }>;
  /** Of other bodies, pair by pair. */
  doMeet(bodies: OtherBodies, pairs: number[]): Promise<Uint8Array>;
  close(): void;
}

/** `openTester` opens a tester on the CPU when the first pair is asked. `close` disposes of it. */
export function createReference({ shapes, bodies }: Scene, openTester: OpenTester): Reference {
  let opened: Promise<{ tester: Tester; ids: number[]; given: Bodies }> | undefined;
  const open = async () => {
    const tester = await openTester();
    const ids = addShapes(tester, shapes);
    return { tester, ids, given: { ...bodies, shapes: bodies.shapes.map((shape) => ids[shape]) } };
  };
  const ask = async <Result>(question: (tester: Tester, given: Bodies) => Promise<Result>, other?: OtherBodies) => {
    const { tester, ids, given } = await (opened ??= open());
    return question(tester, other ? made(other, ids) : given);
  };
  return {
    contacts: (pairs, margin) => ask((tester, given) => tester.contacts(given, pairs, { margin })),
    distances: (pairs, margin) => ask((tester, given) => tester.distances(given, pairs, { margin, results: 'hits' })),
    partsThatMeet: (pairs) =>
      ask(async (tester, given) => {
        const { pair, partA, partB } = await tester.intersects(given, pairs, { results: 'hits', parts: 'all' });
        return { pair, partA: partA!, partB: partB! };
      }),
    doMeet: (other, pairs) =>
      ask(async (tester, given) => (await tester.intersects(given, Uint32Array.from(pairs))).hit, other),
    close() {
      void opened?.then(({ tester }) => tester.dispose());
    },
  };
}

/** `ids` has those of the scene's shapes. */
function made({ shapes, positions, quaternions, scales }: OtherBodies, ids: readonly number[]): Bodies {
  return {
    shapes: Uint32Array.from(shapes, (shape) => ids[shape]),
    positions: Float64Array.from(positions),
    quaternions: Float32Array.from(quaternions),
    scales: Float32Array.from(scales),
  };
}
