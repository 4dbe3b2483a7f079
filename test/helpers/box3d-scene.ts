/** Boxes recorded from scenes of Box3D as bodies: each a box of its own, at the middle of what was recorded. */
import type { PosedBodies } from '../../src/api/types.ts';
import type { BoxDescription } from '../../src/api/shapes.ts';

export const BOX3D_SCENES = ['bounds01', 'bounds02', 'bounds03'] as const;

/** `text` has a line per box: the least x, y, z, then the greatest. */
export function box3dScene(text: string): { shapes: BoxDescription[]; bodies: PosedBodies } {
  const numbers = text.trim().split(/\s+/).map(Number);
  const count = numbers.length / 6;
  const shapes: BoxDescription[] = [];
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const [low, high] = [numbers.slice(6 * i, 6 * i + 3), numbers.slice(6 * i + 3, 6 * i + 6)];
    positions.set(
      low.map((x, k) => (x + high[k]) / 2),
      3 * i,
    );
    const [x, y, z] = low.map((l, k) => (high[k] - l) / 2);
    shapes.push({ type: 'box', halfExtents: [x, y, z] });
  }
  return {
    shapes,
    bodies: {
      shapes: Uint32Array.from({ length: count }, (_, i) => i),
      positions,
      quaternions: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    },
  };
}
