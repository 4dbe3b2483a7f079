/**
 * Records the run of a scene on Dawn, for pictures of the demo:
 * `node scripts/run-ts.mjs demos/debris/record.ts --scene wall --bodies 420 --steps 420 --every 6 --out run.json`.
 * Chrome's software adapter takes minutes for the same steps. The file has the poses of all bodies at the start and after
 * every `--every` steps, and the colours that the last poses give to the wall's blocks.
 */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openDawn } from './open-dawn.ts';
import { pictureColours } from './picture.ts';
import { makeScene } from './scenes.ts';
import type { SceneName } from './scenes.ts';
import { createSimulation } from './simulation.ts';

const { values } = parseArgs({
  options: {
    scene: { type: 'string', default: 'wall' },
    bodies: { type: 'string', default: '420' },
    steps: { type: 'string', default: '420' },
    every: { type: 'string', default: '6' },
    out: { type: 'string', default: 'run.json' },
  },
});
const [bodies, steps, every] = [values.bodies, values.steps, values.every].map(Number);
const { device } = await openDawn();
const scene = makeScene(values.scene as SceneName, bodies);
const simulation = await createSimulation(scene, device);
const poses = [await simulation.readPoses()];
for (let step = 0; step < steps; step++) {
  for (const { step: when, ball, position, velocity } of scene.throws) {
    if (when === step) simulation.launch(scene.firstBall + ball, position, velocity);
  }
  await simulation.step(1);
  if ((step + 1) % every === 0) poses.push(await simulation.readPoses());
}
const colours = values.scene === 'wall' ? pictureColours(poses.at(-1)!, 1, scene.firstBall) : [];
writeFileSync(values.out, JSON.stringify({ poses: poses.map((frame) => [...frame]), colours }));
simulation.dispose();
device.destroy();
// Dawn keeps the process alive.
process.exit();
