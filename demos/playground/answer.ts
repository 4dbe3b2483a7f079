/** Asks the package about both bodies. */

import { createTester } from 'narrowphase';
import type {
  ContactItem,
  ImpactItem,
  ManifoldItem,
  PlanarCapture,
  PlanarTester,
  SpaceCapture,
  Tester,
} from 'narrowphase';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';
import type { PageDevice } from '../common/open-device.ts';
import { isMoving, moving, type AnyShape, type PlaygroundScene } from './scene.ts';

export type Backend = 'cpu' | 'webgpu';

/** Answers of one pair. Vectors have as many numbers as the dimension. */
export interface Answer {
  contact: ContactItem<number[]>;
  /** One per pair of parts that hits for meshes and compounds, otherwise one. */
  manifolds: ManifoldItem<number[]>[];
  /** null: nothing moves. */
  impact: ImpactItem<number[]> | null;
  backend: Backend;
}

export interface Asker {
  ask(scene: PlaygroundScene, backend: Backend): Promise<Answer>;
  /** Microseconds per pair of `contacts` over a list of so many equal pairs. */
  time(scene: PlaygroundScene, backend: Backend): Promise<{ microseconds: number; pairs: number }>;
  capture(scene: PlaygroundScene, backend: Backend): Promise<SpaceCapture | PlanarCapture>;
  /** Disposes of the testers. What is still being asked may fail. */
  dispose(): void;
}

/** A list is long enough to time when it takes so many milliseconds. */
const LEAST_MS = 3;
const MOST_PAIRS = 2 ** 16;

const PAIR = Uint32Array.of(0, 1);

/** A tester and the shapes that it has now. */
interface Opened {
  tester: Tester;
  shapes: { description: AnyShape; id: number }[];
}

export function createAsker(gpu: PageDevice | undefined): Asker {
  const testers = new Map<string, Promise<Opened>>();

  async function open(dimension: 2 | 3, backend: Backend): Promise<Opened> {
    const opening =
      backend === 'cpu'
        ? createTester({ backend, dimension: dimension as 3, threads: 1 })
        : createTester({ backend, dimension: dimension as 3, device: gpu!.device });
    // Testers of both dimensions have the same methods, and the scene's arrays fit its dimension.
    return {
      tester: (await within(opening, LIMITS.open, 'opening a tester')) as Tester | PlanarTester as Tester,
      shapes: [],
    };
  }

  async function prepare(scene: PlaygroundScene, backend: Backend) {
    const { dimension, bodies, algorithm } = scene;
    const key = `${dimension} ${backend}`;
    if (!testers.has(key)) testers.set(key, open(dimension, backend));
    const opened = await testers.get(key)!;
    bodies.forEach(({ shape }, i) => {
      const present = opened.shapes[i];
      if (present?.description === shape) return;
      const id = opened.tester.addShape(shape as never);
      if (present) opened.tester.removeShape(present.id);
      opened.shapes[i] = { description: shape, id };
    });
    const { linearVelocities, angularVelocities, ...still } = moving(
      scene,
      opened.shapes.map(({ id }) => id),
    );
    return { tester: opened.tester, still, velocities: { linearVelocities, angularVelocities }, algorithm };
  }

  return {
    async ask(scene, backend) {
      const { tester, still, velocities, algorithm } = await prepare(scene, backend);
      const all = Promise.all([
        tester.contacts(still, PAIR, { algorithm, margin: Infinity }),
        tester.manifolds(still, PAIR, { algorithm, margin: scene.margin }),
        isMoving(scene)
          ? tester.impacts({ ...still, ...velocities }, PAIR, {
              duration: scene.duration,
              algorithm: algorithm === 'gjk' ? 'cast' : 'auto',
            })
          : null,
      ]);
      const [contacts, manifolds, impacts] = await within(all, LIMITS.compile, 'the queries');
      return { contact: [...contacts][0], manifolds: [...manifolds], impact: impacts && [...impacts][0], backend };
    },

    async time(scene, backend) {
      const { tester, still, algorithm } = await prepare(scene, backend);
      // The first run of each length is not timed: it may allocate or compile.
      for (let count = 1; ; count *= 4) {
        const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i % 2);
        let ms = 0;
        for (let run = 0; run < 2; run++) {
          const begin = performance.now();
          await within(tester.contacts(still, pairs, { algorithm, margin: Infinity }), LIMITS.compile, 'the queries');
          ms = performance.now() - begin;
        }
        if (ms >= LEAST_MS || count >= MOST_PAIRS) return { microseconds: (1000 * ms) / count, pairs: count };
      }
    },

    async capture(scene, backend) {
      const { tester, still, velocities, algorithm } = await prepare(scene, backend);
      const bodies = isMoving(scene) ? { ...still, ...velocities } : still;
      const options = { query: 'contacts', algorithm, margin: Infinity } as const;
      return within(tester.capture(bodies, PAIR, 0, options), LIMITS.compile, 'the capture');
    },

    dispose() {
      for (const opening of testers.values()) {
        void opening.then(
          ({ tester }) => tester.dispose(),
          () => {},
        );
      }
    },
  };
}
