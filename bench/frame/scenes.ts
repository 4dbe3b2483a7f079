/** The bodies of frames: boxes of edge 1 by shape, placed and scaled. */

import { createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';

export const FRAME_SCENES = ['heap', 'mixed', 'ring'] as const;
export type FrameSceneName = (typeof FRAME_SCENES)[number];

export interface FrameScene {
  name: FrameSceneName;
  count: number;
  /** Of the one shape, a box. */
  halfExtents: readonly [number, number, number];
  positions: Float32Array;
  quaternions: Float32Array;
  scales: Float32Array;
}

/** A brick is twice as long as it is high and wide. */
const BRICK = [0.5, 0.25, 0.25] as const;

/** Bricks per course for each course of the ring. */
const RING_SHAPE = 40;

/** Bricks overlap by this share of their size, as those that have settled do. */
const SETTLED = 1e-3;

/**
 * - `heap`: rotated boxes of edges from 0.9 to 1.1 in a cube, with about 6.6 pairs per body.
 * - `mixed`: the same with edges from 1 to 1000.
 * - `ring`: bricks in courses around a ring, each course half a brick further; about `count` of them.
 */
export function makeFrameScene(name: FrameSceneName, count: number, seed: number): FrameScene {
  return name === 'ring' ? makeRing(count) : makeCrowd(name, count, createRandom(seed));
}

function makeCrowd(name: 'heap' | 'mixed', count: number, random: Random): FrameScene {
  const scene = emptyScene(name, count, [0.5, 0.5, 0.5]);
  const room = (name === 'heap' ? 1.25 : 300) * Math.cbrt(count);
  for (let i = 0; i < count; i++) {
    scene.positions.set([uniform(random, 0, room), uniform(random, 0, room), uniform(random, 0, room)], 3 * i);
    scene.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * i);
    scene.scales[i] = name === 'heap' ? uniform(random, 0.9, 1.1) : 1000 ** uniform(random, 0, 1);
  }
  return scene;
}

function makeRing(wanted: number): FrameScene {
  const courses = Math.max(1, Math.round(Math.sqrt(wanted / RING_SHAPE)));
  const perCourse = Math.max(8, Math.round(wanted / courses));
  const scene = emptyScene('ring', courses * perCourse, BRICK);
  const spacing = 2 * (1 - SETTLED);
  const radius = (perCourse * spacing * BRICK[0]) / (2 * Math.PI);
  for (let i = 0; i < scene.count; i++) {
    const course = Math.floor(i / perCourse);
    const angle = (2 * Math.PI * ((i % perCourse) + (course % 2) / 2)) / perCourse;
    const height = course * spacing * BRICK[1];
    scene.positions.set([radius * Math.cos(angle), height, radius * Math.sin(angle)], 3 * i);
    // Along the ring.
    const turn = -(angle + Math.PI / 2) / 2;
    scene.quaternions.set([0, Math.sin(turn), 0, Math.cos(turn)], 4 * i);
  }
  return scene;
}

function emptyScene(name: FrameSceneName, count: number, halfExtents: FrameScene['halfExtents']): FrameScene {
  return {
    name,
    count,
    halfExtents,
    positions: new Float32Array(3 * count),
    quaternions: new Float32Array(4 * count),
    scales: new Float32Array(count).fill(1),
  };
}
