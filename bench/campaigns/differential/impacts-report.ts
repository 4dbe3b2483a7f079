/** The report of the differential tests of impacts in Markdown. */

import { movingPoseOf, type MovingFamily } from '../../../verification/families/moving-family.ts';
import type { ImpactComparison, ImpactDisagreement, TimeFault } from './impacts.ts';
import { below, contextText, line, slackText, sum, type Context } from './markdown.ts';
import type { MovingPeer } from './moving-peer.ts';

export interface ImpactReport {
  peer: MovingPeer;
  comparisons: readonly ImpactComparison[];
  /** Examples of narrowphase's wrong answers, with everything needed to reproduce them. */
  examples: readonly string[];
}

/**
 * What can be wrong with Rapier's times, and why as far as the source of parry tells: `minkowski_ray_cast` in
 * `query/gjk`.
 */
const FAULTS: Record<TimeFault, { what: string; why: string }> = {
  still: {
    what: 'no hit of bodies that overlap and do not move against each other',
    why: 'the cast of a ray of length 0 ends as a miss before it looks',
  },
  start: {
    what: 'no hit, or a later one, of bodies that overlap as the motion begins',
    why: 'it ends before a simplex holds the origin',
  },
  missed: {
    what: 'no hit of bodies that meet later',
    why: 'it ends as a miss within 1.1e-3 of the distance, or at an inconsistent bound',
  },
  late: {
    what: 'a hit after the bodies overlap',
    why: "steps along the ray are divided by its cosine with a face's normal, which of those that graze is near 0",
  },
  early: {
    what: 'a hit while bodies that meet are still apart',
    why: 'it ends at the bound it has when the simplex gets no nearer, or holds the origin by rounding',
  },
  never: { what: 'a hit of bodies that never meet', why: 'the same, of bodies that pass' },
};

const KINDS = Object.keys(FAULTS) as TimeFault[];

export function impactsReport(context: Context, { peer, comparisons, examples }: ImpactReport): string {
  const { title, version, notes, slack } = peer;
  const disagreements = comparisons.flatMap((row) => row.disagreements);
  const pairs = sum(comparisons, (row) => row.pairs);
  return `# Times of impact beside ${title}

${contextText(context)}

Seeded pairs of shapes of 10 cm to 10 m (bench/campaigns/differential/families.ts), placed as those of the differential tests \
of contacts, half of them overlapping and
a quarter within 1e-3 of the size from touch, and then set in straight motion through half a second: of eleven pairs \
five come to where they were placed on
the way, two as the motion begins, one was there before, two graze each other there, and one does not move against \
each other (verification/families/moving-family.ts). Our
times are those of \`impacts\` on the GPU and of the double-precision reference. Times agree where the bodies move by \
no more than our tolerance and the
library's slack between them. Of the others the oracle of motion judges ours, normals and points included, and the \
library's is wrong where the bodies then are farther apart than its
slack, or overlap by more or did before. Where nobody is wrong, as of most that graze, the pair is in the band. \
Differences are how far bodies move between
the GPU's time and the library's, as shares of the size max(sum of bounding radii, distance of the bodies); so are \
distances, which are those of the bodies at
a wrong time of the library's. GPU and library times are of all calls for the pairs of a row, in milliseconds; they make no benchmark.

${version}. ${notes.join('\n')}

Slack: ${slackText(slack)}.

${pairs} pairs, ${disagreements.length} disagreements; narrowphase is wrong in ${wrongImpacts(comparisons)} of them.

| shapes | pairs | overlapping at the start | meeting later | agreeing | in the band | GPU wrong | reference wrong | \
${title} wrong: ${KINDS.join(', ')} | half of differences below | 99 % below | GPU not converged | GPU ms | ${title} \
ms |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${comparisons.map(typesRow).join('\n')}

| | ${title}'s fault | cause, as far as its source tells | pairs | half of distances below | largest |
| --- | --- | --- | ---: | ---: | ---: |
${KINDS.map((kind) => faultRow(kind, disagreements)).join('\n')}
${examples.length > 0 ? examplesText(examples) : ''}`;
}

function examplesText(examples: readonly string[]): string {
  const title = "Narrowphase's wrong answers, the first of every two types:";
  return `\n${title}\n\n\`\`\`json\n${examples.join('\n')}\n\`\`\`\n`;
}

export function wrongImpacts(comparisons: readonly ImpactComparison[]): number {
  return sum(comparisons, ({ disagreements }) => disagreements.filter(isWrongHere).length);
}

export function isWrongHere({ faults }: ImpactDisagreement): boolean {
  return faults.kernels.length + faults.reference.length > 0;
}

/** A wrong answer with its pair, exact in f32. */
export function exampleOf(family: MovingFamily, found: ImpactDisagreement): string {
  const [a, b] = [0, 1].map((side) => {
    const body = family.pairs[2 * found.pair + side];
    return { shape: family.shapes[family.bodies.shapes[body]], ...movingPoseOf(family, body) };
  });
  return JSON.stringify({ types: family.name, duration: family.duration, a, b, ...found }, plain);
}

/** As JSON holds it. */
function plain(_: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value;
}

function typesRow({
  name,
  pairs,
  overlapping,
  met,
  agreeing,
  inBand,
  disagreements,
  differences,
  notConverged,
  here,
  there,
}: ImpactComparison): string {
  const wrong = (who: 'kernels' | 'reference'): number =>
    disagreements.filter(({ faults }) => faults[who].length > 0).length;
  const kinds = KINDS.map((kind) => disagreements.filter(({ fault }) => fault === kind).length).join(', ');
  return line([
    name,
    pairs,
    overlapping,
    met,
    agreeing,
    inBand,
    wrong('kernels'),
    wrong('reference'),
    kinds,
    below(differences, 0.5),
    below(differences, 0.99),
    notConverged,
    here.toFixed(0),
    there.toFixed(0),
  ]);
}

function faultRow(kind: TimeFault, disagreements: readonly ImpactDisagreement[]): string {
  const { what, why } = FAULTS[kind];
  const of = disagreements.filter(({ fault }) => fault === kind);
  const distances = Float64Array.from(
    of.filter(({ distance }) => Number.isFinite(distance)),
    ({ distance, size }) => Math.abs(distance) / size,
  ).sort();
  return line([kind, what, why, of.length, below(distances, 0.5), below(distances, 1)]);
}
