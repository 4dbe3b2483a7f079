/** The workloads: their shares of hits, their pairs, and their files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkload, writeWorkload } from './workload-file.ts';
import { makeMovingWorkload, makeWorkload, WORKLOADS } from '../../verification/workloads/make.ts';
import { makePlanarWorkload, PLANAR_WORKLOADS } from '../../verification/workloads/planar.ts';
import { thicken } from '../../verification/workloads/thin.ts';
import { bodiesNeeded, firstPairs, type PlanarWorkload } from '../../verification/workloads/workload.ts';
import { contact, createShape, intersects, planar } from '../../src/cpu.ts';
import { poseOf } from '../../verification/families/families.ts';

describe('workloads', () => {
  it.each(WORKLOADS.filter((name) => name !== 'debris'))('%s have the share of hits that was asked for', (name) => {
    for (const wanted of [0.05, 0.5, 0.85])
      expect(Math.abs(hitRate(makeWorkload(name, 1000, wanted, 7), 1000) - wanted)).toBeLessThan(0.05);
  });

  it.each(PLANAR_WORKLOADS)('%s of the plane have the share of hits that was asked for', (name) => {
    for (const wanted of [0.05, 0.5, 0.85]) {
      const hits = planarDistances(makePlanarWorkload(name, 1000, wanted, 7)).filter(
        (distance) => distance <= 0,
      ).length;
      expect(Math.abs(hits / 1000 - wanted)).toBeLessThan(0.05);
    }
  });

  it.each(PLANAR_WORKLOADS)('%s have the same signed distances in space, where they are thin', (name) => {
    const workload = makePlanarWorkload(name, 500, 0.5, 7);
    const thin = thicken(workload);
    const shapes = thin.shapes.map((shape) => createShape(shape));
    const inPlane = planarDistances(workload);
    for (let i = 0; i < 500; i++) {
      const [a, b] = thin.pairs.subarray(2 * i);
      const inSpace = contact(
        shapes[thin.bodies.shapes[a]],
        poseOf(thin, a),
        shapes[thin.bodies.shapes[b]],
        poseOf(thin, b),
        { margin: Infinity },
      );
      expect(Math.abs(inSpace.distance - inPlane[i])).toBeLessThan(1e-6);
    }
  });

  it('polygon8 has eight corners, counter-clockwise', () => {
    for (const shape of makePlanarWorkload('polygon8', 1, 0.5, 7).shapes) {
      const { vertices, pointIndices } = planar.createShape(shape);
      expect(vertices.length).toBe(16);
      const first = pointIndices[0];
      expect(Array.from(pointIndices)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((corner) => (corner + first) % 8));
    }
  });

  it('debris has pairs of different bodies, each once, some of which overlap', () => {
    const debris = makeWorkload('debris', 2000, 0.5, 7);
    const seen = new Set<string>();
    for (let i = 0; i < 2000; i++) {
      const pair = [debris.pairs[2 * i], debris.pairs[2 * i + 1]].sort((a, b) => a - b);
      expect(pair[0]).not.toBe(pair[1]);
      expect(pair[1]).toBeLessThan(debris.bodies.shapes.length);
      seen.add(pair.join());
    }
    expect(seen.size).toBe(2000);
    expect(hitRate(debris, 2000)).toBeGreaterThan(0.2);
    expect(hitRate(debris, 2000)).toBeLessThan(0.8);
  });

  it('are the same for the same seed', () => {
    expect(makeWorkload('mixed', 100, 0.5, 3)).toEqual(makeWorkload('mixed', 100, 0.5, 3));
    expect(makePlanarWorkload('rectangles', 100, 0.5, 3)).toEqual(makePlanarWorkload('rectangles', 100, 0.5, 3));
    expect(makeWorkload('mixed', 100, 0.5, 3).bodies.positions).not.toEqual(
      makeWorkload('mixed', 100, 0.5, 4).bodies.positions,
    );
  });

  it('repeat their pairs where more are wanted than there are', () => {
    const workload = makeWorkload('boxes', 3, 0.5, 1);
    expect(Array.from(firstPairs(workload, 2))).toEqual([0, 1, 2, 3]);
    expect(Array.from(firstPairs(workload, 5))).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3]);
    expect(bodiesNeeded(workload, 2)).toBe(4);
  });

  it('come out of a file as they went in, velocities and duration too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'narrowphase-bench-test-'));
    const file = join(folder, 'workload');
    try {
      for (const workload of [
        makeWorkload('boxes', 5, 0.5, 1),
        makeMovingWorkload('boxes', 5, 1),
        makePlanarWorkload('rectangles', 5, 0.5, 1),
      ]) {
        writeWorkload(file, workload);
        const read = readWorkload(file);
        expect({ ...read, shapes: [] }).toStrictEqual({ ...workload, shapes: [] });
        expect(read.shapes).toEqual(workload.shapes);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function planarDistances({ shapes: descriptions, bodies, pairs }: PlanarWorkload): number[] {
  const shapes = descriptions.map((shape) => planar.createShape(shape));
  const shapeOf = (body: number) => shapes[bodies.shapes[body]];
  const standing = (body: number) => ({
    position: bodies.positions.subarray(2 * body, 2 * body + 2),
    angle: bodies.angles[body],
  });
  return Array.from({ length: pairs.length / 2 }, (_, i) => {
    const [a, b] = pairs.subarray(2 * i);
    return planar.contact(shapeOf(a), standing(a), shapeOf(b), standing(b), { margin: Infinity }).distance;
  });
}

function hitRate(workload: ReturnType<typeof makeWorkload>, count: number): number {
  const shapes = workload.shapes.map((shape) => createShape(shape));
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const [a, b] = workload.pairs.subarray(2 * i);
    const [shapeA, shapeB] = [a, b].map((body) => shapes[workload.bodies.shapes[body]]);
    if (intersects(shapeA, poseOf(workload, a), shapeB, poseOf(workload, b)).hit) hits++;
  }
  return hits / count;
}
