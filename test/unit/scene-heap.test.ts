import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { scenePairs } from '../../cli/scene/pairs.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import type { Scene } from '../../cli/scene/scene.ts';

/** The text of heap.json as the script writes it into a fresh folder. */
function buildHeap(): string {
  const folder = mkdtempSync(join(tmpdir(), 'narrowphase-'));
  try {
    execFileSync(process.execPath, ['scripts/build-scenes.mjs', folder], { stdio: 'pipe' });
    return readFileSync(join(folder, 'heap.json'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the example scene', () => {
  let text: string;
  let scene: Scene;
  beforeAll(() => {
    text = buildHeap();
    scene = parseScene(text);
  });

  test('is the same on every run', () => {
    expect(buildHeap() === text).toBe(true);
  });

  test('has thousands of bodies of every shape type, and hulls of many forms', () => {
    const types = scene.shapes.map(({ type }) => type);
    expect(scene.bodies.shapes.length).toBeGreaterThan(2000);
    expect(new Set(types)).toEqual(new Set(['box', 'capsule', 'sphere', 'triangle', 'hull']));
    expect(types.filter((type) => type === 'hull').length).toBeGreaterThanOrEqual(40);
    expect(scene.shapes.some((shape) => shape.type === 'box' && shape.radius)).toBe(true);
    expect(new Set(scene.bodies.shapes).size).toBe(scene.shapes.length);
  });

  test('is a heap: its broad phase finds several neighbours of each body', () => {
    const pairs = scenePairs(scene, 0).length / 2;
    expect(pairs).toBeGreaterThan(5_000);
    expect(pairs).toBeLessThan(15_000);
  });
});
