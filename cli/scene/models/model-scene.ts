/** Turns a model into a scene. Its pairs are those of the broad phase. */

import { GREATEST_POSITION, GREATEST_SIZE } from '../../../src/generated/constants.ts';
import { invalidInput } from '../../../src/api/errors.ts';
import { makeShapeData } from '../../../src/shapes/shape-data.ts';
import { emptyBodies, SCENE_LIMITS } from '../scene.ts';
import type { Scene } from '../scene.ts';
import { uniqueNames } from './body-names.ts';
import type { Model } from './model.ts';
import { refuse, refuseAsTooLarge, within } from './refusal.ts';

/** The scene of a model. Throws if there is no body, or if a shape or a pose is not valid. */
export function sceneOf({ shapes, bodies: modelBodies }: Model, name: string): Scene {
  const n = modelBodies.length;
  if (n === 0) refuse('the model has no body, expected at least one mesh or collider');
  expectAtMost(n, SCENE_LIMITS.bodies, 'bodies');
  expectAtMost(shapes.length, SCENE_LIMITS.shapes, 'shapes');
  const descriptions = shapes.map(({ description }) => description);
  const names = uniqueNames(modelBodies.map((body) => body.name));
  const bodies = emptyBodies(n);
  modelBodies.forEach(({ shape, position, rotation, scale }, i) => {
    within(`node ${names[i]}`, () => {
      position.forEach((x, k) => {
        if (!(Math.abs(x) <= GREATEST_POSITION)) {
          invalidInput(`its position[${k}]`, x, `a number of at most ${GREATEST_POSITION} either way`);
        }
      });
      if (!(scale <= GREATEST_SIZE)) invalidInput('its scale', scale, `a number of at most ${GREATEST_SIZE}`);
    });
    bodies.shapes[i] = shape;
    bodies.positions.set(position, 3 * i);
    bodies.quaternions.set(rotation, 4 * i);
    bodies.scales[i] = scale;
  });
  return {
    name,
    shapes: descriptions,
    shapeData: descriptions.map((description, i) =>
      within(shapes[i].owner, () => makeShapeData(description, description.type)),
    ),
    bodies,
    bodyNames: new Map(names.entries()),
    pairs: 'broad-phase',
    allowed: [],
  };
}

function expectAtMost(count: number, most: number, noun: string): void {
  if (count > most) refuseAsTooLarge(`the model has ${count} ${noun}, expected at most ${most}`);
}
