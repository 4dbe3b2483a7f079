/** The report on the comparison. */
import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import type { Tester } from '../../../src/api/types.ts';
import { describeMachine } from '../../machine.ts';
import { SHALLOW } from './contacts.ts';
import { MOVING, STEP } from './motion.ts';
import { options } from './options.ts';

/** Rows of the tables, and what MPR leaves to other algorithms, by family. */
export interface Tables {
  short: string[];
  accuracy: string[];
  cost: string[];
  motion: string[];
  leftOver: string[];
}

export function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The report as Markdown. */
export function reportOf({ short, accuracy, cost, motion, leftOver }: Tables, adapter: Tester['adapter']): string {
  const { cpu: processor, cores, memoryGiB, os, node } = describeMachine();
  const { description, vendor, isSoftware } = adapter;
  return `# Algorithms compared

\`npm run algorithms -- --pairs ${options.pairs} --gpu-pairs ${options.gpuPairs} --frames ${options.frames} \
--repeats ${options.repeats} --seed ${options.seed}\`, ${new Date().toISOString().slice(0, 10)}

- Machine: ${processor}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Adapter: ${description || vendor}${isSoftware ? ' (software)' : ''}

All ways have the same pairs: half of them overlapping, a quarter of all within 1e-3 of the size from touch, turned at random. One box in 16
is a plate or a needle of 100:1; elongated boxes are rods and plates of 10:1 to 50:1. Hulls lie on ellipsoids of up \
to 5:1; capsules are up to 6:1; mixed
has all of these and spheres; needles are 1000:1 (verification/families/structured-families.ts). The truth is what \
GJK + EPA find in double precision, so that
their errors are 0 by definition; tests hold them against a brute-force oracle.

## In short

How deep MPR finds overlapping pairs, in double precision, and kernel time of \`contacts\` over all pairs. \
Voronoi-region walks have no depth and no kernel.

<!-- short -->
| pairs of | 'ray': exact, % | excess, % of depth: mean | 99 % below | greatest | 'normal': exact, % | excess: mean | \
99 % below | greatest | µs a pair on the GPU: SAT | GJK + EPA | 'ray' | 'normal' |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${short.join('\n')}
<!-- end -->

## Depth

\`contacts\` in double precision of ${options.pairs} pairs. Exact are depths within the tolerance of the reference. Excess is \
the depth reported less
the true one, as a share of the true depth (of pairs deeper than ${SHALLOW} of the size) and of the size, max(sum of the bounding radii,
distance of the bodies). A wrong overlap is one beyond the tolerance, ${TOLERANCE.reference} of the size in double precision,
${TOLERANCE.kernels} on the GPU (${options.gpuPairs} pairs).

| pairs of | way | overlapping | exact, % | excess, % of depth: mean | median | 99 % below | greatest | % of size: \
mean | median | 99 % below | greatest | wrong overlaps | on the GPU |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${accuracy.join('\n')}

MPR leaves to GJK + EPA what it can't decide: of pairs whose cores overlap ${leftOver.join(', ')}. Cores of capsules never do:
GJK finds their overlaps.

## Cost

\`contacts\` with margin 0 of the same pairs, overlapping or not. Steps are 1 for SAT, supports asked for by the others, of the algorithm
that answered, on the CPU. Times are the fastest of ${options.repeats} runs in turns: on the CPU one thread, the pair's frame \
included, on the GPU the
kernels of the whole query, all stages, by timestamps.

| pairs of | way | steps, apart | steps, overlapping | µs a pair, CPU | µs a pair, GPU |
| --- | --- | ---: | ---: | ---: | ---: |
${cost.join('\n')}

## Coherent motion

${MOVING} pairs over ${options.frames} frames on the CPU; from frame to frame each body moves by ${STEP} (sizes are 0.06 to \
2) and turns by half as many
radians. What is asked is the distance, 0 for overlap: V-Clip has no depth. Warm searches start from what the last frame ended with, the
others anew: V-Clip from the first vertices. Steps are pairs of features for V-Clip, otherwise supports. A wrong overlap is an error beyond
the tolerance with the wrong sign, or no answer.

| pairs of | way | steps, first frame | steps, later | µs a pair | greatest error, share of the size | wrong overlaps |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
${motion.join('\n')}
`;
}
