/** The keyboard in place of the pointer. */

import { Quaternion, type Vector3 } from 'three/webgpu';
import type { BodyState, PlaygroundScene } from './scene.ts';

/** World units and radians per key. */
const STEP = 0.05;
const TURN = Math.PI / 36;

export interface KeyTargets {
  chosen(): number;
  scene(): PlaygroundScene;
  axes(): { right: Vector3; up: Vector3; forward: Vector3 };
  choose(body: number): void;
  change(body: number, change: Partial<BodyState>): void;
}

export function enableKeys(canvas: HTMLElement, of: KeyTargets): void {
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (press(event.key, of)) event.preventDefault();
  });
}

/** Acts on a key. Returns whether the page uses it. */
function press(key: string, { chosen, scene, axes, choose, change }: KeyTargets): boolean {
  if (key === '1' || key === '2') {
    choose(Number(key) - 1);
    return true;
  }
  const { right, up, forward } = axes();
  const body = scene().bodies[chosen()];
  const isFlat = scene().dimension === 2;
  const ways: Record<string, [Vector3, number] | undefined> = {
    ArrowRight: [right, STEP],
    ArrowLeft: [right, -STEP],
    ArrowUp: [up, STEP],
    ArrowDown: [up, -STEP],
    ...(isFlat ? {} : { PageUp: [forward, STEP], PageDown: [forward, -STEP] }),
  };
  const way = ways[key];
  if (way) {
    const [direction, step] = way;
    change(chosen(), { position: body.position.map((value, k) => value + step * direction.getComponent(k)) });
    return true;
  }
  if (key !== '[' && key !== ']') return false;
  const turn = key === '[' ? TURN : -TURN;
  const rotation = isFlat
    ? [body.rotation[0] + turn]
    : new Quaternion()
        .setFromAxisAngle(forward.negate(), turn)
        .multiply(new Quaternion().fromArray(body.rotation).normalize())
        .toArray();
  change(chosen(), { rotation });
  return true;
}
