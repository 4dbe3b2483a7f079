/** Scenes to begin with. The first of each dimension is shown when the page opens. */

import { bodyOf, rounded, type PlaygroundScene } from './scene.ts';
import { SHAPE_KINDS } from './shape-kinds.ts';

export interface Example {
  name: string;
  scene: PlaygroundScene;
}

const ASKED = { algorithm: 'auto', margin: 0, duration: 2 } as const;

/** The quaternion of a rotation by `degrees` about an axis. */
function about(x: number, y: number, z: number, degrees: number): number[] {
  const half = (degrees * Math.PI) / 360;
  const share = Math.sin(half) / Math.hypot(x, y, z);
  return rounded([x * share, y * share, z * share, Math.cos(half)]);
}

const rock = SHAPE_KINDS[3].find(({ type }) => type === 'hull')!.initial;
const polygon = SHAPE_KINDS[2].find(({ type }) => type === 'polygon')!.initial;

export const EXAMPLES: readonly Example[] = [
  {
    name: 'A rock flies at a box',
    scene: {
      ...ASKED,
      dimension: 3,
      bodies: [
        bodyOf({ type: 'box', halfExtents: [0.7, 0.45, 0.55], radius: 0.08 }, 3, {
          position: [-0.9, 0, 0],
          rotation: about(0.3, 1, 0.2, 35),
        }),
        bodyOf(rock, 3, { position: [1.5, 0.35, 0.2], linear: [-0.9, -0.15, 0], angular: [0, 0.4, 0.6] }),
      ],
    },
  },
  {
    name: 'A box rests in another: 4 points',
    scene: {
      ...ASKED,
      dimension: 3,
      bodies: [
        bodyOf({ type: 'box', halfExtents: [1, 0.35, 0.8] }, 3, { position: [0, -0.35, 0] }),
        bodyOf({ type: 'box', halfExtents: [0.5, 0.4, 0.45] }, 3, {
          position: [0.2, 0.35, 0.1],
          rotation: about(0, 1, 0, 28),
        }),
      ],
    },
  },
  {
    name: 'Two edges cross',
    scene: {
      ...ASKED,
      dimension: 3,
      bodies: [
        bodyOf({ type: 'box', halfExtents: [0.9, 0.35, 0.35] }, 3, {
          position: [0, -0.44, 0],
          rotation: about(1, 0, 0, 45),
        }),
        bodyOf({ type: 'box', halfExtents: [0.35, 0.35, 0.9] }, 3, {
          position: [0, 0.48, 0],
          rotation: about(0, 0, 1, 45),
        }),
      ],
    },
  },
  {
    name: 'A cone tumbles onto a cylinder',
    scene: {
      ...ASKED,
      dimension: 3,
      bodies: [
        bodyOf({ type: 'cylinder', halfHeight: 0.3, radius: 0.9 }, 3, { position: [0, -0.7, 0] }),
        bodyOf({ type: 'cone', halfHeight: 0.5, radius: 0.4 }, 3, {
          position: [0.35, 1, 0],
          rotation: about(0, 0, 1, 60),
          linear: [0, -0.8, 0],
          angular: [0, 0, 2],
        }),
      ],
    },
  },
  {
    name: 'A polygon and a capsule',
    scene: {
      ...ASKED,
      dimension: 2,
      bodies: [
        bodyOf(polygon, 2, { position: [-0.9, -0.1], rotation: [0.2] }),
        bodyOf({ type: 'capsule', halfHeight: 0.6, radius: 0.3 }, 2, {
          position: [1.2, 0.3],
          rotation: [0.5],
          linear: [-1, 0],
          angular: [0.8],
        }),
      ],
    },
  },
  {
    name: 'A rectangle in another: 2 points',
    scene: {
      ...ASKED,
      dimension: 2,
      bodies: [
        bodyOf({ type: 'rectangle', halfExtents: [1.2, 0.4] }, 2, { position: [0, -0.4] }),
        bodyOf({ type: 'rectangle', halfExtents: [0.5, 0.5], radius: 0.05 }, 2, { position: [0.3, 0.5] }),
      ],
    },
  },
];

export function firstExample(dimension: 2 | 3): PlaygroundScene {
  return EXAMPLES.find(({ scene }) => scene.dimension === dimension)!.scene;
}
