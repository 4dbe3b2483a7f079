/** Scenes of boxes for the solver: a stack, and a floor of tiles that a box slides over. */

import type { BoxDescription } from '../../src/api/shapes.ts';
import type { Manifolds, PosedBodies } from '../../src/api/types.ts';
import { createSolver, makeBody, type RigidBody, type SolverOptions } from './solver.ts';

export interface BoxScene {
  shapes: BoxDescription[];
  bodies: RigidBody[];
  pairs: Uint32Array;
  options: SolverOptions;
}

export const FRAMES = 2000;
/** Contacts within 1 % of the boxes' size. */
export const MARGIN = 0.01;
const STEP = 1 / 60;

/** Five boxes of 1 m on each other and on a floor, each tilted by 1e-4 and a little to the side. */
export function boxStack(): BoxScene {
  const half = [0.5, 0.5, 0.5];
  const floor = makeBody([10, 1, 10], [0, -1, 0], 0);
  const boxes = [0, 1, 2, 3, 4].map((level) => {
    const box = makeBody(half, [0.02 * (level % 3) - 0.02, 0.5 + 1.0001 * level, 0.015 * (level % 2)], 1);
    box.quaternion = [5e-5 * (level % 2 ? 1 : -1), 0, 5e-5, 1];
    return box;
  });
  const pairs = Uint32Array.from(boxes.flatMap((_, level) => [level, level + 1]));
  return sceneOf([floor, ...boxes], pairs, { step: STEP, gravity: 9.81, friction: 0.5, rest: 0 });
}

/**
 * A box on a row of tiles of 0.8 m, three abreast, sliding along them at 0.6 m/s. It rests a tenth of the margin above
 * them, so that the least way out is up as long as it is over a tile.
 */
export function tiledFloor(yaw: number): BoxScene {
  const rest = 0.1 * MARGIN;
  const tiles = Array.from({ length: 3 * 28 }, (_, i) =>
    makeBody([0.4, 0.2, 0.4], [0.8 * Math.floor(i / 3), -0.2, 0.8 * ((i % 3) - 1)], 0),
  );
  const box = makeBody([0.5, 0.25, 0.5], [0.3, 0.25 + rest, 0.13], 1);
  box.velocity = [0.6, 0, 0];
  box.quaternion = [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
  const pairs = Uint32Array.from(tiles.flatMap((_, tile) => [tile, tiles.length]));
  return sceneOf([...tiles, box], pairs, { step: STEP, gravity: 9.81, friction: 0, rest });
}

function sceneOf(bodies: RigidBody[], pairs: Uint32Array, options: SolverOptions): BoxScene {
  return { bodies, pairs, options, shapes: bodies.map(({ halfExtents }) => ({ type: 'box', halfExtents })) };
}

/** As queries take them: body i has shape i. */
export function bodiesOf({ bodies }: BoxScene): PosedBodies {
  return {
    shapes: Uint32Array.from(bodies.keys()),
    positions: Float64Array.from(bodies.flatMap(({ position }) => position)),
    quaternions: Float32Array.from(bodies.flatMap(({ quaternion }) => quaternion)),
  };
}

/** Runs all frames; `see` is shown each frame's manifolds before they are used. */
export async function simulate(
  scene: BoxScene,
  manifolds: (bodies: PosedBodies, pairs: Uint32Array) => Promise<Manifolds>,
  see: (found: Manifolds, frame: number) => void,
  frames = FRAMES,
): Promise<void> {
  const solver = createSolver(scene.bodies, scene.pairs, scene.options);
  for (let frame = 0; frame < frames; frame++) {
    const found = await manifolds(bodiesOf(scene), scene.pairs);
    see(found, frame);
    // A tile's side that the box only comes near is in nobody's way.
    solver.step([...found].filter(({ normal }) => Math.abs(normal[1]) > 0.7));
  }
}

/** What happened to the manifolds of each pair in a simulation. */
export interface Watch {
  see(found: Manifolds, frame: number): void;
  /** Pairs whose count changed and was back within `FLICKER_FRAMES`, with the frame. */
  flickers: string[];
  /** Pairs and frames where two or more points had a normal that was not up. */
  flips: string[];
  /** Each pair's counts, without repeats. */
  counts: Map<number, number[]>;
}

/** Less than what the smallest corner takes that the scenes bring over a tile. */
const FLICKER_FRAMES = 3;

export function watchManifolds(): Watch {
  /** For each pair: its number of points, since which frame, and the number before. */
  const runs = new Map<number, { count: number; since: number; before: number }>();
  const watch: Watch = {
    flickers: [],
    flips: [],
    counts: new Map(),
    see(found, frame) {
      for (const { pair, normal, points } of found) {
        const run = runs.get(pair);
        const count = points.length;
        if (count >= 2 && !(normal[1] > 0.999)) watch.flips.push(`pair ${pair}, frame ${frame}: ${normal}`);
        if (run?.count === count) continue;
        if (run?.before === count && frame - run.since < FLICKER_FRAMES)
          watch.flickers.push(`pair ${pair}, frame ${frame}: ${run.before}, ${run.count}, ${count}`);
        runs.set(pair, { count, since: frame, before: run?.count ?? -1 });
        watch.counts.set(pair, [...(watch.counts.get(pair) ?? []), count]);
      }
    },
  };
  return watch;
}

/** How far each body has moved from where it was. */
export function drift(bodies: readonly RigidBody[], from: readonly number[][]): number {
  return Math.max(...bodies.map(({ position }, i) => Math.hypot(...position.map((x, k) => x - from[i][k]))));
}
