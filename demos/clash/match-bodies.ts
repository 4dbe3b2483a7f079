/** Finds the bodies of a clash in a model by the names that reports call them. */

import type { Clash } from '../../cli/clash/clash-report.ts';
import { createLabels } from '../../cli/clash/labels.ts';
import type { ViewScene } from './check-messages.ts';

export type BodyPair = readonly [number | undefined, number | undefined];

/** `scene` undefined: there is no model. */
export function createBodyMatcher(scene: ViewScene | undefined): (clash: Clash) => BodyPair {
  const bodies = new Map<string, number>();
  if (scene) {
    const labelOf = createLabels(scene);
    for (let body = 0; body < scene.bodies.shapes.length; body++) {
      const { label, copy } = labelOf(body);
      bodies.set(keyOf(label, copy), body);
    }
  }
  return ({ a, copyA, b, copyB }) => [bodies.get(keyOf(a, copyA)), bodies.get(keyOf(b, copyB))];
}

function keyOf(label: string, copy = 1): string {
  return JSON.stringify([label, copy]);
}
