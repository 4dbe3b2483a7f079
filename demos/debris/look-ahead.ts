/**
 * Computes the wall's run once before it is shown: where the blocks come to rest decides their colours. The same steps
 * give the same bits, so the blocks fall into the same places again.
 */

import { BODY_FLOATS } from './constants.ts';
import { pictureColours } from './picture.ts';
import type { Run } from './run.ts';

/** `'auto'`: unless it would take too long. */
export type AheadChoice = 'yes' | 'no' | 'auto';

/** Until all bodies rest, for this many steps at most. */
const MOST_STEPS = 900;
/** Steps until all bodies rest, about. */
const USUAL_STEPS = 400;
const CHUNK = 10;
/** What `'auto'` waits for, at most. */
const LONGEST_MS = 10_000;

/** `?ahead=yes` or `?ahead=no` in the address, otherwise `'auto'`. */
export function aheadChoice(parameters: URLSearchParams): AheadChoice {
  const choice = parameters.get('ahead') ?? 'auto';
  if (choice === 'yes' || choice === 'no' || choice === 'auto') return choice;
  throw new Error(`?ahead=${choice} is unknown, expected yes, no or auto`);
}

export async function lookAhead(
  run: Run,
  choice: AheadChoice,
  { signal, tell, showStep }: { signal: AbortSignal; tell(text: string): void; showStep(text: string): void },
): Promise<void> {
  const { scene, simulation, meshes } = run;
  const lastThrow = Math.max(...scene.throws.map(({ step }) => step));
  let began = 0;
  let energy = Infinity;
  tell('Computing where the blocks come to rest…');
  while (run.steps < MOST_STEPS && (run.steps <= lastThrow || energy > 0)) {
    showStep(`Step ${run.steps} of about ${USUAL_STEPS}`);
    await run.step(CHUNK);
    energy = await kineticEnergy(run);
    // The first chunk is not timed, since the first dispatches also compile shaders.
    const timed = run.steps - CHUNK;
    if (timed === 0) began = performance.now();
    const expected = timed > 0 ? ((performance.now() - began) / timed) * USUAL_STEPS : 0;
    const isTooLong = choice === 'auto' && expected > LONGEST_MS;
    if (isTooLong || signal.aborted) {
      run.reset();
      const seconds = Math.round(expected / 1000);
      tell(
        isTooLong ? `Plain colours: computing where the blocks come to rest would take about ${seconds} s here.` : '',
      );
      return;
    }
  }
  run.firstRun = { steps: run.steps, poses: await simulation.readPoses() };
  meshes.paint(1, pictureColours(run.firstRun.poses, 1, scene.firstBall));
  run.reset();
  tell('');
}

/** ½ m v² of all bodies that move, without their rotation. */
async function kineticEnergy({ simulation }: Run): Promise<number> {
  const motions = await simulation.readMotions();
  const { masses } = simulation.arrays;
  let energy = 0;
  for (let at = 0; at < masses.length; at += BODY_FLOATS) {
    energy += (masses[at] / 2) * (motions[at] ** 2 + motions[at + 1] ** 2 + motions[at + 2] ** 2);
  }
  return energy;
}
