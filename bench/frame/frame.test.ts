/** Scenes of frames, stages of their kernels, and the tables of their reports. */

import { describe, expect, it } from 'vitest';
import { UsageError } from '../options.ts';
import { parseOptions } from '../throughput/options.ts';
import { stagesOf } from './gpu-frame.ts';
import type { FrameCase } from './measure.ts';
import { MOVE, movedPosition } from './mover.ts';
import { howMeasured, sceneSections, targetTable } from './report.ts';
import { makeFrameScene } from './scenes.ts';

describe('the command line', () => {
  it('measures frames only by name, scene by scene', () => {
    expect(parseOptions([])!.frameScenes).toEqual([]);
    const all = { frameScenes: ['heap', 'mixed', 'ring'], bodies: null, cases: [], hostCases: [], curves: false };
    expect(parseOptions(['--cases', 'frame'])).toMatchObject(all);
    const args = ['--cases', 'frame/ring,boxes/contacts/50', '--bodies', '1000,64'];
    expect(parseOptions(args)).toMatchObject({
      frameScenes: ['ring'],
      bodies: [1000, 64],
      cases: [{ query: 'contacts' }],
    });
    expect(() => parseOptions(['--cases', 'frame/pile'])).toThrow(UsageError);
    expect(() => parseOptions(['--cases', 'frame', '--bodies', '0'])).toThrow('--bodies is "0"');
  });
});

describe('scenes', () => {
  it('are the same for a seed, and have sizes of their own', () => {
    const [heap, mixed] = (['heap', 'mixed'] as const).map((name) => makeFrameScene(name, 5000, 3));
    expect(makeFrameScene('heap', 5000, 3)).toEqual(heap);
    expect(Math.max(...heap.scales) / Math.min(...heap.scales)).toBeLessThan(1.23);
    expect(Math.max(...mixed.scales) / Math.min(...mixed.scales)).toBeGreaterThan(500);
  });

  it('the ring has about as many bricks as wanted, each beside the next and on two of the course below', () => {
    const { count, positions, halfExtents } = makeFrameScene('ring', 110_000, 1);
    expect(Math.abs(count / 110_000 - 1)).toBeLessThan(0.01);
    const between = (a: number, b: number): number =>
      Math.hypot(...[0, 1, 2].map((k) => positions[3 * a + k] - positions[3 * b + k]));
    const perCourse = positions.findIndex((y, i) => i % 3 === 1 && y > 0) / 3 - 1 / 3;
    const length = 2 * halfExtents[0];
    for (const brick of [0, 1, perCourse - 2]) expect(between(brick, brick + 1) / length).toBeCloseTo(1, 2);
    const onTop = Math.hypot(length / 2, 2 * halfExtents[1]);
    for (const below of [5, 6]) expect(between(perCourse + 5, below) / onTop).toBeCloseTo(1, 2);
  });

  it('are as made in frame 0, and near it in the others', () => {
    const scene = makeFrameScene('mixed', 100, 1);
    for (let i = 0; i < 100; i++) {
      const start = [...scene.positions.subarray(3 * i, 3 * i + 3)];
      expect(movedPosition(scene, i, 0)).toEqual(start);
      const moved = movedPosition(scene, i, 7);
      expect(moved).not.toEqual(start);
      moved.forEach((x, k) => expect(Math.abs(x - start[k])).toBeLessThanOrEqual(MOVE * scene.scales[i]));
    }
  });
});

describe('stages', () => {
  it('are split at the search for pairs and at the end of the broad phase', () => {
    const kernels = [
      'copies',
      'broad-phase/bounds',
      'broad-phase/scan',
      'broad-phase/search',
      'broad-phase/scan',
      'sat',
    ];
    expect(stagesOf(kernels, [1, 2, 4, 8, 16, 32])).toEqual({ bounds: 7, pairs: 24, narrowPhase: 32 });
    expect(() => stagesOf(['sat'], [1])).toThrow('no kernel is broad-phase/search, among sat');
  });
});

function sampleCase(bodies: number, processorMs: number, others: Partial<FrameCase> = {}): FrameCase {
  return {
    scene: 'heap',
    bodies,
    pairs: 6 * bodies,
    pairsOfHost: 6 * bodies,
    hits: 3 * bodies,
    frame: { wallMs: 100, processorMs: 200 },
    pairsOnly: { wallMs: 10, processorMs },
    stages: { bounds: 1, pairs: 2, narrowPhase: 3 },
    bytesPerBody: 164,
    host: null,
    rapier: null,
    ...others,
  };
}

describe('the report', () => {
  it('has a row per size, and dashes for what was not measured', () => {
    const text = sceneSections([sampleCase(1000, 4, { hits: null, frame: null })], true).join('\n');
    expect(text).toContain('## A heap of similar boxes');
    expect(text).toContain('| 1,000 | 6.0 | – | – | – | 1.00 | 2.00 | – | 10.0 | 4000 | – | – |');
    expect(text).not.toContain('Rapier');
    const moved = sceneSections([sampleCase(1000, 4, { pairsOfHost: 6001 })], true).join('\n');
    expect(moved).toContain('6.0 (findPairs: 1 more)');
    const fewer = sceneSections([sampleCase(1000, 4, { pairsOfHost: 5997 })], true).join('\n');
    expect(fewer).toContain('6.0 (findPairs: 3 fewer)');
  });

  it('compares cost per body by processor time on software adapters, otherwise by wall time', () => {
    const cases = [sampleCase(10_000, 20), sampleCase(1_000_000, 3000)];
    expect(targetTable(cases, true).join('\n')).toMatch(/heap: cost per body at 1 M.*\| 1\.50 \| less than 2 \|/);
    expect(targetTable(cases, false).join('\n')).toMatch(/heap: cost per body at 1 M.*\| 0\.0100 \| less than 2 \|/);
  });

  it('holds Rapier against a frame of 100,000 bodies', () => {
    const rapier = { collisionDetectionMs: 500, broadPhaseMs: 100 };
    const text = targetTable([sampleCase(100_000, 100, { rapier })], true).join('\n');
    expect(text).toMatch(/detection \/ frame \| 5\.00 \| at least 3 \|/);
  });

  it('names three-avbd as measured on another machine', () => {
    expect(sceneSections([sampleCase(1000, 4, { scene: 'ring' })], true).join('\n')).toMatch(/M4 Max, another machine/);
    expect(howMeasured(3, 1, false).join('\n')).toMatch(/Medians of 3 rounds(?![^]*Rapier)/);
    expect(howMeasured(3, 1, true).join('\n')).toContain('- Rapier: dynamic bodies');
  });
});
