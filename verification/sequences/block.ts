/** What the steps of a block of sequences share. */

import type { Tester } from '../../src/api/types.ts';
import { below, type Random } from '../families/random.ts';
import type { CardTester } from './card-tester.ts';
import type { Axes, KnownShape } from './scene.ts';
import type { Way } from './ways.ts';

export interface SequencesReport {
  sequences: number;
  queries: number;
  frames: number;
  /** By query. */
  asked: Record<string, number>;
  findings: string[];
}

export interface Block {
  axes: Axes;
  random: Random;
  card: CardTester;
  cpu: Tester;
  shapes: KnownShape[];
  report: SequencesReport;
  note(what: string, faults: readonly string[]): void;
}

/** Fills memory with what another query may have left, or leaves what it did leave. */
export function spoil({ card, random }: Block): void {
  if (below(random, 2) === 0) card.fill('stale', random);
}

/** The shapes that a way's bodies have. */
export function shapesOf({ shapes }: Block, { types }: Way): KnownShape[] {
  return shapes.filter(({ type }) => types.includes(type));
}
