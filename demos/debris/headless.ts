/**
 * The demo's simulation without a page, on Dawn:
 * `node scripts/run-ts.mjs demos/debris/headless.ts --bodies 100000 --steps 600 --scene wall`.
 * Prints milliseconds per step and stage, and whether the bodies came to rest. With `--contacts` it also reads the contacts
 * after each step, and prints how many of those at rest keep their features in the next one; at the end, how deep bodies are
 * in the ground.
 */

import { parseArgs } from 'node:util';
import { BODY_FLOATS } from './constants.ts';
import { openDawn } from './open-dawn.ts';
import { makeScene } from './scenes.ts';
import type { SceneName } from './scenes.ts';
import { measureBurial, stepAndCompare } from './rest.ts';
import { createSimulation } from './simulation.ts';
import type { PressingPoint } from './bodies.ts';

const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '1000' },
    steps: { type: 'string', default: '600' },
    scene: { type: 'string', default: 'wall' },
    every: { type: 'string', default: '60' },
    contacts: { type: 'boolean', default: false },
  },
});
const [steps, every] = [Number(values.steps), Number(values.every)];
const { device, name } = await openDawn();
const shareOf = (kept: number, all: number): string =>
  all === 0 ? '–' : `${((100 * kept) / all).toFixed(3)} % of ${all}`;

const scene = makeScene(values.scene as SceneName, Number(values.bodies));
const simulation = await createSimulation(scene, device);
console.log(`${scene.firstBall - 1} bodies on ${name}`);
console.log('step  ms/step  pairs  manifolds  solver  | pairs, contacts, left out | fastest m/s, moving');
if (values.contacts)
  console.log('| points at rest with the same feature in the next step: all, and those of bodies that still move');
let points: PressingPoint[] = [];
for (let step = 0; step < steps;) {
  const seen = { points: 0, kept: 0, awake: 0, awakeKept: 0 };
  const start = performance.now();
  const end = Math.min(step + every, steps);
  for (; step < end; step++) {
    for (const { step: when, ball, position, velocity } of scene.throws) {
      if (when === step) simulation.launch(scene.firstBall + ball, position, velocity);
    }
    if (values.contacts) {
      const found = await stepAndCompare(simulation, points);
      for (const key of Object.keys(seen) as (keyof typeof seen)[]) seen[key] += found[key];
      points = await simulation.readPoints();
    } else await simulation.step(1);
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
    ...(values.contacts ? [`| ${shareOf(seen.kept, seen.points)}, ${shareOf(seen.awakeKept, seen.awake)}`] : []),
  );
}
if (values.contacts) {
  const { below, deepest } = await measureBurial(simulation, 1, scene.firstBall);
  console.log(`centres below the ground: ${below}; deepest in the ground: ${(1000 * deepest).toFixed(2)} mm`);
}
simulation.dispose();
device.destroy();
process.exit();
