/**
 * The demo's simulation without a page, on Dawn:
 * `node scripts/run-ts.mjs demos/debris/headless.ts --bodies 100000 --steps 600 --scene wall`.
 * Prints milliseconds per step and stage, and whether the bodies came to rest.
 */

import { parseArgs } from 'node:util';
import { BODY_FLOATS } from './constants.ts';
import { openDawn } from './open-dawn.ts';
import { makeScene } from './scenes.ts';
import type { SceneName } from './scenes.ts';
import { createSimulation } from './simulation.ts';

const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '1000' },
    steps: { type: 'string', default: '600' },
    scene: { type: 'string', default: 'wall' },
    every: { type: 'string', default: '60' },
  },
});
const [steps, every] = [Number(values.steps), Number(values.every)];
const { device, name } = await openDawn();

const scene = makeScene(values.scene as SceneName, Number(values.bodies));
const simulation = await createSimulation(scene, device);
console.log(`${scene.firstBall - 1} bodies on ${name}`);
console.log('step  ms/step  pairs  manifolds  solver  | pairs, contacts, left out | fastest m/s, moving');
for (let step = 0; step < steps;) {
  const start = performance.now();
  const end = Math.min(step + every, steps);
  for (; step < end; step++) {
    for (const { step: when, ball, position, velocity } of scene.throws) {
      if (when === step) simulation.launch(scene.firstBall + ball, position, velocity);
    }
    await simulation.step(1);
  }
  await device.queue.onSubmittedWorkDone();
  const perStep = (performance.now() - start) / every;
  const [counts, stages] = [await simulation.readCounts(), await simulation.readTimings()];
  const motions = await simulation.readMotions();
  let [fastest, moving] = [0, 0];
  for (let i = 0; i < motions.length; i += BODY_FLOATS) {
    const speed = Math.hypot(motions[i], motions[i + 1], motions[i + 2]);
    fastest = Math.max(fastest, speed);
    if (speed > 0) moving++;
  }
  const times = stages ? [stages.pairs, stages.manifolds, stages.solver] : [];
  console.log(
    step,
    perStep.toFixed(2),
    ...times.map((time) => time.toFixed(2)),
    `| ${counts.pairs}, ${counts.contacts}, ${counts.overflow} | ${fastest.toFixed(3)}, ${moving}`,
  );
}
simulation.dispose();
device.destroy();
process.exit();
