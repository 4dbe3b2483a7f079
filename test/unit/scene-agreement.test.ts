import { describe, expect, test } from 'vitest';
import { compareWithReference, samplePairs } from '../../src/cli/agreement.ts';
import { ask } from '../../src/cli/engines.ts';
import { addShapes } from '../../src/scene/add-shapes.ts';
import type { Answer } from '../../src/cli/engines.ts';
import { scenePairs } from '../../src/scene/pairs.ts';
import { parseScene } from '../../src/scene/scene.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { createTester } from '../../src/node.ts';
import { Status } from '../../src/types.ts';

/** Unit balls in a row, 0.75 apart: neighbours overlap by 0.25, the next ones are 0.5 apart. */
function rowOfBalls(n: number): Scene {
  const bodies = Array.from({ length: n }, (_, i) => ({ shape: 0, position: [0.75 * i, 0, 0] }));
  return parseScene(JSON.stringify({ version: 1, shapes: [{ type: 'sphere', radius: 0.5 }], bodies, pairs: 'all' }));
}

const scene = rowOfBalls(6);
const pairs = scenePairs(scene, 0);

async function contacts(ofScene = scene, ofPairs = pairs): Promise<Answer> {
  const tester = await createTester({ backend: 'cpu' });
  try {
    return await ask(tester, 'contacts', addShapes(tester, ofScene.shapes, ofScene.bodies), ofPairs);
  } finally {
    tester.dispose();
  }
}

const compare = (answer: Answer) => compareWithReference(scene, pairs, 'contacts', undefined, answer);

describe('an answer compared with the reference', () => {
  test('agrees with itself', async () => {
    const answer = await contacts();
    expect(answer.count).toBe(5);
    expect(await compare(answer)).toMatchObject({ checked: 15, seed: null, unanswered: 0, disagreements: 0, largestDifference: 0 });
  });

  test('differs by the error of one distance, relative to the size of the pair', async () => {
    const answer = await contacts();
    answer.distance![2] += 2e-3;
    const { largestDifference, disagreements, worst } = await compare(answer);
    expect(largestDifference).toBeCloseTo(2e-3, 6);
    expect(disagreements).toBe(0);
    expect(worst).toMatchObject({ pair: answer.pair[2], a: 2, b: 3, reference: -0.25 });
  });

  test('disagrees in the status of an overlapping pair called separated', async () => {
    const answer = await contacts();
    answer.status[1] = Status.Separated;
    expect(await compare(answer)).toMatchObject({ checked: 15, disagreements: 1 });
  });

  test('disagrees where a hit is missing, by its whole depth', async () => {
    const answer = await contacts();
    const missing = answer.pair[4];
    const { disagreements, largestDifference, worst } = await compare({ ...answer, count: 4 });
    expect(disagreements).toBe(1);
    expect(largestDifference).toBeCloseTo(0.25, 6);
    expect(worst).toMatchObject({ pair: missing, distance: null });
  });

  test('disagrees where a pair that is far apart is listed as a hit', async () => {
    const answer = await contacts();
    const index = answer.pair.indexOf(5);
    answer.pair[index] = 6;
    expect(await compare(answer)).toMatchObject({ disagreements: 2 });
  });

  test('is compared over a sample where there are many pairs, hits above all', async () => {
    const crowd = rowOfBalls(220);
    const many = scenePairs(crowd, 0);
    const answer = await contacts(crowd, many);
    expect(answer.count).toBe(219);
    answer.distance![100] += 0.1;
    const { checked, seed, worst } = await compareWithReference(crowd, many, 'contacts', undefined, answer);
    expect(many.length / 2).toBe(24_090);
    expect(checked).toBeGreaterThan(10_000);
    expect(checked).toBeLessThan(10_219);
    expect(seed).not.toBeNull();
    expect(worst!.pair).toBe(answer.pair[100]);
  });

  test('leaves out pairs without an answer, and counts them', async () => {
    const answer = await contacts();
    answer.status[0] = Status.NotConverged;
    expect(await compare(answer)).toMatchObject({ checked: 14, unanswered: 1, disagreements: 0 });
  });
});

describe('a sample of pairs', () => {
  test('is all of them where they are few', () => {
    expect([...samplePairs(4, 10, 1)]).toEqual([0, 1, 2, 3]);
    expect(samplePairs(0, 10, 1)).toHaveLength(0);
  });

  test('is ascending, without repetition, spread over all pairs, and the same for the same seed', () => {
    const sample = samplePairs(100_000, 1000, 1);
    expect(sample).toHaveLength(1000);
    expect(new Set(sample).size).toBe(1000);
    expect([...sample].sort((a, b) => a - b)).toEqual([...sample]);
    expect(sample.filter((pair) => pair < 50_000).length).toBeGreaterThan(400);
    expect(sample.filter((pair) => pair < 50_000).length).toBeLessThan(600);
    expect(samplePairs(100_000, 1000, 1)).toEqual(sample);
    expect(samplePairs(100_000, 1000, 2)).not.toEqual(sample);
  });
});
