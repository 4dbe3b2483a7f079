/** Scenes of the plane for the solver: stacks, and wedges that rest between two bodies. Body i has shape i. */

import type { ManifoldItem, Manifolds, PlanarBodies, PlanarTester, Vec2 } from '../../src/api/types.ts';
import { createPlanarSolver, makePlanarBody, type PlanarRigidBody, type PlanarSolverOptions } from './planar-solver.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

export interface PlanarScene {
  bodies: PlanarRigidBody[];
  /** Indices of bodies, two a pair. */
  pairs: Uint32Array;
  options: PlanarSolverOptions;
}

export const FRAMES = 2000;
/** Frames that what was let down may take to settle. */
export const SETTLING = 300;
/** Contacts within 1 % of the bodies' size. */
const MARGIN = 0.01;

const OPTIONS: PlanarSolverOptions = { step: 1 / 60, gravity: 9.81, friction: 0.5 };
const SEED = 20_261_122;

/** Ten boxes on each other and on a floor; pair i is boxes i - 1 and i, the lower one first or second as it comes. */
function stackOf(
  place: (level: number) => { halfExtents: number[]; x: number; gap: number; angle: number; radius?: number },
): PlanarScene {
  const floor = makePlanarBody({ type: 'rectangle', halfExtents: [10, 1] }, [0, -1]);
  let top = 0;
  const boxes = Array.from({ length: 10 }, (_, level) => {
    const { halfExtents, x, gap, angle, radius = 0 } = place(level);
    const half = halfExtents[1] + radius;
    const box = makePlanarBody({ type: 'rectangle', halfExtents, radius }, [x, top + gap + half], {
      angle,
      density: 1,
    });
    top += gap + 2 * half;
    return box;
  });
  const pairs = Uint32Array.from(
    boxes.flatMap((_, level) => (level % 3 === 1 ? [level + 1, level] : [level, level + 1])),
  );
  return { bodies: [floor, ...boxes], pairs, options: OPTIONS };
}

const UNIT = [0.5, 0.5];

export const stacks = {
  'of one size, exactly on each other': () => stackOf(() => ({ halfExtents: UNIT, x: 0, gap: 0, angle: 0 })),
  'of one size, 1e-4 over each other': () => stackOf(() => ({ halfExtents: UNIT, x: 0, gap: 1e-4, angle: 0 })),
  'of one size, each a little aside and tilted by 1e-4': () =>
    stackOf((level) => ({
      halfExtents: UNIT,
      x: 0.02 * (level % 3) - 0.02,
      gap: 1e-4,
      angle: level % 2 ? 1e-4 : -1e-4,
    })),
  // Sixteenths and the like of a width.
  'of one size, each aside by a simple fraction of it': () =>
    stackOf((level) => ({
      halfExtents: UNIT,
      x: [0, 1 / 16, 0, -1 / 16, 0, 0.05, 0, 0.125, 0, -0.1][level],
      gap: 0,
      angle: 0,
    })),
  'ever narrower, tilted at random': () => {
    const random = createRandom(SEED);
    return stackOf((level) => ({
      halfExtents: [1 - 0.07 * level, 0.3],
      x: uniform(random, -0.03, 0.03),
      gap: 5e-4,
      angle: uniform(random, -1e-3, 1e-3),
    }));
  },
  'rounded, tilted by 1e-4': () =>
    stackOf((level) => ({
      halfExtents: [0.4, 0.4],
      radius: 0.1,
      x: 0.01 * (level % 2),
      gap: 1e-4,
      angle: level % 2 ? 1e-4 : -1e-4,
    })),
} satisfies Record<string, () => PlanarScene>;

/**
 * A wedge with its tip down: its sides run up from there at `slope` to both sides. Its origin is its centre of mass,
 * two thirds up.
 */
function makeWedge(slope: number, height: number, tip: readonly number[], angle: number): PlanarRigidBody {
  const half = height / slope;
  const points = [0, (-2 / 3) * height, half, height / 3, -half, height / 3];
  return makePlanarBody({ type: 'polygon', points }, [tip[0], tip[1] + (2 / 3) * height], { angle, density: 1 });
}

/** The two sides of a notch whose bottom is at the origin: triangles that meet there. */
function notch(slope: number): PlanarRigidBody[] {
  return [
    makePlanarBody({ type: 'polygon', points: [0, 0, -2, 2 * slope, -2, 0] }, [0, 0]),
    makePlanarBody({ type: 'polygon', points: [0, 0, 2, 0, 2, 2 * slope] }, [0, 0]),
  ];
}

export const wedges = {
  'in a notch of its own angle, with two sides to hold it': () => {
    const wedge = makeWedge(1, 1, [0, 2e-4], 1e-4);
    return { bodies: [...notch(1), wedge], pairs: Uint32Array.of(0, 2, 2, 1), options: OPTIONS };
  },
  'in a notch with a floor below its tip, which holds it, too': () => {
    const wedge = makeWedge(1.5, 0.8, [0, 2e-4], -1e-4);
    const floor = makePlanarBody({ type: 'rectangle', halfExtents: [1, 0.5] }, [0, -0.5]);
    return { bodies: [...notch(1.5), floor, wedge], pairs: Uint32Array.of(3, 0, 1, 3, 2, 3), options: OPTIONS };
  },
  'between the corners of two boxes': () => {
    const wedge = makeWedge(1, 1, [0, -0.5 + 2e-4], 1e-4);
    return {
      bodies: [...[-1.5, 1.5].map((x) => makePlanarBody({ type: 'rectangle', halfExtents: [1, 1] }, [x, -1])), wedge],
      pairs: Uint32Array.of(0, 2, 2, 1),
      options: OPTIONS,
    };
  },
} satisfies Record<string, () => PlanarScene>;

function bodiesOf({ bodies }: PlanarScene): PlanarBodies {
  return {
    shapes: Uint32Array.from(bodies.keys()),
    positions: Float32Array.from(bodies.flatMap(({ position }) => position)),
    angles: Float32Array.from(bodies.map(({ angle }) => angle)),
  };
}

type Find = (bodies: PlanarBodies, pairs: Uint32Array) => Promise<Manifolds<Vec2>>;

/** Runs all frames; `see` is shown each frame's manifolds before they are used. */
export async function simulate(
  scene: PlanarScene,
  find: Find,
  see: (found: readonly ManifoldItem<Vec2>[], frame: number) => void,
  frames: number,
): Promise<void> {
  const solver = createPlanarSolver(scene.bodies, scene.pairs, scene.options);
  for (let frame = 0; frame < frames; frame++) {
    const found = [...(await find(bodiesOf(scene), scene.pairs))];
    see(found, frame);
    solver.step(found);
  }
}

/**
 * How a frame's manifolds are found: by a batch on a GPU, by queries on the CPU. The scene's shapes become the
 * tester's.
 */
export async function finderOf(tester: PlanarTester, scene: PlanarScene): Promise<{ find: Find; dispose: () => void }> {
  const ids = Uint32Array.from(scene.bodies, ({ shape }) => tester.addShape(shape));
  const free = (): void => ids.forEach((id) => tester.removeShape(id));
  if (tester.backend === 'cpu')
    return {
      find: (bodies, pairs) => tester.manifolds({ ...bodies, shapes: ids }, pairs, { margin: MARGIN }),
      dispose: free,
    };
  const batch = await tester.createBatch({
    query: 'manifolds',
    maxBodies: scene.bodies.length,
    maxPairs: scene.pairs.length / 2,
    margin: MARGIN,
  });
  const find: Find = (bodies, pairs) => {
    batch.write({ bodies: { ...bodies, shapes: ids }, pairs });
    const encoder = batch.device.createCommandEncoder();
    batch.encode(encoder);
    batch.device.queue.submit([encoder.finish()]);
    return batch.read();
  };
  return {
    find,
    dispose() {
      batch.dispose();
      free();
    },
  };
}

/** What changed between one frame's manifolds and the next, from a frame on. */
export interface StackWatch {
  see(found: readonly ManifoldItem<Vec2>[], frame: number): void;
  /** Pairs whose number of points changed, whose points changed names, or whose normal turned, with the frame. */
  counts: string[];
  names: string[];
  normals: string[];
  /** Number of points of each pair at the end. */
  last: number[];
}

/** How far a normal may be from where it was: cosines of f32 have steps of 6e-8. */
const TURN = 1e-4;

export function watchStack(from = SETTLING): StackWatch {
  const before = new Map<number, { count: number; names: string; normal: readonly number[] }>();
  const watch: StackWatch = {
    counts: [],
    names: [],
    normals: [],
    last: [],
    see(found, frame) {
      watch.last = found.map(({ points }) => points.length);
      if (frame < from) return;
      for (const { pair, normal, points } of found) {
        const names = points
          .map(({ feature }) => feature.toString(16))
          .sort()
          .join(' ');
        const last = before.get(pair);
        if (last && last.count !== points.length)
          watch.counts.push(`frame ${frame}, pair ${pair}: ${last.count} points, then ${points.length}`);
        else if (last && last.names !== names)
          watch.names.push(`frame ${frame}, pair ${pair}: ${last.names}, then ${names}`);
        const turn = last ? Math.hypot(normal[0] - last.normal[0], normal[1] - last.normal[1]) : 0;
        if (turn > TURN) watch.normals.push(`frame ${frame}, pair ${pair}: ${last!.normal}, then ${normal}`);
        // The first normal is kept, so that small steps do not add up.
        before.set(pair, { count: points.length, names, normal: last && turn <= TURN ? last.normal : normal });
      }
    },
  };
  return watch;
}

/** Where bodies are, and how far any has moved or turned from where it was. */
export function placesOf({ bodies }: PlanarScene): number[][] {
  return bodies.map(({ position, angle }) => [...position, angle]);
}

export function drift(scene: PlanarScene, from: readonly number[][]): number {
  return Math.max(...placesOf(scene).map((place, i) => Math.hypot(...place.map((x, k) => x - from[i][k]))));
}
