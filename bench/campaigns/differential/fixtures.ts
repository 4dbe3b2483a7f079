/**
 * Disagreements that are kept as fixtures: a few pairs of each cause, those farthest off, of different types of shape.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { poseOf, type Family } from '../../../verification/families/families.ts';
import { causeOf } from './causes.ts';
import type { Comparison, Disagreement, Subject } from './compare.ts';
import type { PeerName } from './peer.ts';

const ABOUT =
  'Pairs that narrowphase and another library answered differently, kept by npm run differential whichever ' +
  'was wrong; numbers are exact in f32. ' +
  'distance is the true signed distance by the oracle.';

/** Pairs of types that are kept of each cause. */
const KEPT = 4;

interface FixtureBody {
  shape: ShapeDescription;
  position: number[];
  quaternion: number[];
}

export interface DifferentialFixture {
  /** Unique: the demo Inspector opens the pair by it. */
  name: string;
  cause: string;
  peer: PeerName;
  subject: Subject;
  wrong: ('narrowphase' | PeerName)[];
  /** The truth. */
  distance: number;
  /** What both answered then. */
  narrowphase: { distance: number; overlaps: boolean };
  other: { distance: number | null; overlaps: boolean };
  a: FixtureBody;
  b: FixtureBody;
}

/** A fixture that has no name yet. */
export type FoundFixture = Omit<DifferentialFixture, 'name'>;

/** The worst disagreement of each cause in a family. */
export function worstOfEachCause(peer: PeerName, family: Family, { disagreements }: Comparison): FoundFixture[] {
  const worst = new Map<string, Disagreement>();
  for (const found of disagreements) {
    const cause = causeOf(peer, shapesOf(family, found.pair), found);
    const before = worst.get(cause);
    if (before === undefined || errorOf(found) > errorOf(before)) worst.set(cause, found);
  }
  return [...worst].map(([cause, found]) => fixtureOf(peer, family, cause, found));
}

export function countCauses(
  peer: PeerName,
  family: Family,
  { disagreements }: Comparison,
  counts: Map<string, number>,
): void {
  for (const found of disagreements) {
    const cause = causeOf(peer, shapesOf(family, found.pair), found);
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
}

/**
 * Adds to a file what is new: at most a few of each cause, and one of each two types of shape. Returns how many were
 * added.
 */
export function keepFixtures(file: string, found: readonly FoundFixture[]): number {
  const kept = readFixtures(file);
  const before = kept.length;
  for (const fixture of found) {
    const alike = kept.filter(({ cause }) => cause === fixture.cause);
    if (alike.length < KEPT && !alike.some((other) => typesOf(other) === typesOf(fixture)))
      kept.push({ name: nameOf(fixture, kept), ...fixture });
  }
  const lines = kept.map((fixture) => `  ${JSON.stringify(fixture)}`);
  if (kept.length > before)
    writeFileSync(file, `{\n "about": ${JSON.stringify(ABOUT)},\n "cases": [\n${lines.join(',\n')}\n ]\n}\n`);
  return kept.length - before;
}

/** Engine, shapes and subject, with a number where that is taken. */
function nameOf({ peer, a, b, subject }: FoundFixture, kept: readonly DifferentialFixture[]): string {
  const name = [peer, a.shape.type, b.shape.type, subject].join('-');
  const isTaken = (other: string): boolean => kept.some((fixture) => fixture.name === other);
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

export function readFixtures(file: string): DifferentialFixture[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { cases: DifferentialFixture[] }).cases;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function typesOf({ a, b }: FoundFixture): string {
  return [a.shape.type, b.shape.type].sort().join('/');
}

function shapesOf({ shapes, bodies, pairs }: Family, pair: number): [ShapeDescription, ShapeDescription] {
  return [shapes[bodies.shapes[pairs[2 * pair]]], shapes[bodies.shapes[pairs[2 * pair + 1]]]];
}

/** How far the worse of both is off, as a share of the size; of a missing depth all of it. */
function errorOf({ isWrongHere, here, there, truth, size }: Disagreement): number {
  return Math.abs((isWrongHere ? here.distance : (there.distance ?? 0)) - truth) / size;
}

function fixtureOf(peer: PeerName, family: Family, cause: string, found: Disagreement): FoundFixture {
  const { subject, pair, truth, here, there, isWrongHere, isWrongThere } = found;
  const [a, b] = [0, 1].map((side): FixtureBody => {
    const { position, quaternion } = poseOf(family, family.pairs[2 * pair + side]);
    return {
      shape: plain(shapesOf(family, pair)[side]),
      position: Array.from(position),
      quaternion: Array.from(quaternion),
    };
  });
  return {
    cause,
    peer,
    subject,
    wrong: [...(isWrongHere ? (['narrowphase'] as const) : []), ...(isWrongThere ? [peer] : [])],
    distance: truth,
    narrowphase: here,
    other: there,
    a,
    b,
  };
}

/** As JSON holds it, rounded to f32 as a tester does. */
function plain(shape: ShapeDescription): ShapeDescription {
  const entries = Object.entries(shape).map(([field, value]: [string, string | number | ArrayLike<number>]) => {
    if (typeof value === 'string') return [field, value];
    return [field, typeof value === 'number' ? Math.fround(value) : Array.from(value, Math.fround)];
  });
  return Object.fromEntries(entries) as ShapeDescription;
}
