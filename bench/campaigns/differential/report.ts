/** The report of the differential tests in Markdown. */

import { CURVED_TOLERANCE, TOLERANCE } from '../../../src/shapes/tolerances.ts';
import type { Comparison, Differences, Subject } from './compare.ts';
import type { DifferentialFixture } from './fixtures.ts';
import { below, contextText, line, short, slackText, sum, type Context } from './markdown.ts';
import type { Peer } from './peer.ts';

export interface PeerReport {
  peer: Peer;
  comparisons: readonly Comparison[];
  causes: ReadonlyMap<string, number>;
}

/** `kept`: the pairs that the demo Inspector opens. */
export function differentialReport(
  context: Context,
  reports: readonly PeerReport[],
  kept: readonly DifferentialFixture[],
): string {
  const sections = reports.map((report) => peerSection(report) + keptTable(report.peer, kept));
  return [head(context), ...sections].join('\n');
}

export function wrongHere(comparisons: readonly Comparison[]): number {
  return sum(comparisons, ({ disagreements }) => disagreements.filter(({ isWrongHere }) => isWrongHere).length);
}

function head(context: Context): string {
  return `# Narrowphase beside other libraries

${contextText(context)}

Seeded pairs of shapes of 10 cm to 10 m, half of them overlapping, a quarter within 1e-3 of the size from touch
(bench/campaigns/differential/families.ts). Our \`intersects\` and \`contacts\` (\`margin: Infinity\`) on the GPU beside \
the library's own answers.
Within the band the distance is nearer to 0 than our tolerance and the library's slack together, and overlap is not compared. Where answers
differ by more than both may be off, the brute-force oracle of the tests gives the true distance and with it who is wrong: disagreements are
those pairs, gaps and depths included. Narrowphase is wrong where it is outside the tolerance of docs/accuracy.md: \
${short(TOLERANCE.kernels)} of the size
max(sum of bounding radii, distance of the bodies), with a cylinder or a cone ${short(CURVED_TOLERANCE.kernels.apart)} apart and
${short(CURVED_TOLERANCE.kernels.overlapping)} overlapping. Differences of gaps and depths are shares of the same \
size. Times are of all calls for the
pairs of a row, in milliseconds; they make no benchmark.
`;
}

function peerSection({ peer, comparisons, causes }: PeerReport): string {
  const { title, version, notes, overlapSlack, distanceSlack } = peer;
  const pairs = sum(comparisons, (row) => row.pairs);
  const disagreements = sum(comparisons, (row) => row.disagreements.length);
  const listed = [...causes].sort(([, a], [, b]) => b - a).map(([cause, count]) => `| ${cause} | ${count} |`);
  return `## ${title}

${version}. ${notes.join('\n')}

Slack of overlap: ${slackText(overlapSlack)}; of gaps and depths: ${slackText(distanceSlack)}.

${pairs} pairs, ${disagreements} disagreements; narrowphase is wrong in ${wrongHere(comparisons)} of them.

| shapes | pairs | overlapping | in the band | overlap differs outside it | narrowphase wrong | ${title} wrong: \
overlap, gap, depth | largest gap difference | largest depth difference | narrowphase ms | ${title} ms |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${comparisons.map(overlapRow).join('\n')}

| shapes | gaps compared | half below | 99 % below | 99.9 % below | depths compared | half below | 99 % below | 99.9 \
% below | overlapping without a depth | narrowphase not converged |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${comparisons.map(differenceRow).join('\n')}

| cause | pairs |
| --- | ---: |
${listed.join('\n')}
`;
}

/** The kept pairs of a peer, with links to the demo Inspector, which shows them step by step. */
function keptTable({ name, title }: Pick<Peer, 'name' | 'title'>, kept: readonly DifferentialFixture[]): string {
  const rows = kept
    .filter(({ peer }) => peer === name)
    .map((fixture) =>
      line([
        `[\`${fixture.name}\`](../../demos/inspector/#case=${fixture.name})`,
        fixture.subject,
        fixture.distance.toPrecision(6),
        fixture.other.distance?.toPrecision(6) ?? 'none',
        fixture.cause,
      ]),
    );
  if (rows.length === 0) return '';
  return `
Kept pairs (verification/fixtures/differential.json), which the Inspector shows step by step. Distances in metres.

| pair | subject | true distance | ${title}'s | cause |
| --- | --- | ---: | ---: | --- |
${rows.join('\n')}
`;
}

function overlapRow(row: Comparison): string {
  const { name, pairs, overlapping, inBand, disagreements, gaps, depths, here, there } = row;
  const wrongThere = (subject: Subject): number =>
    disagreements.filter((found) => found.subject === subject && found.isWrongThere).length;
  const differs = disagreements.filter(({ subject }) => subject === 'overlap').length;
  const wrong = (['overlap', 'gap', 'depth'] as const).map(wrongThere).join(', ');
  return line([
    name,
    pairs,
    overlapping,
    inBand,
    differs,
    wrongHere([row]),
    wrong,
    below(gaps, 1),
    below(depths, 1),
    here.toFixed(0),
    there.toFixed(0),
  ]);
}

function differenceRow({ name, gaps, depths, withoutDepth, notConverged }: Comparison): string {
  return line([name, ...shares(gaps), ...shares(depths), withoutDepth, notConverged]);
}

function shares(values: Differences): (number | string)[] {
  return [values.length, below(values, 0.5), below(values, 0.99), below(values, 0.999)];
}
