/**
 * Accuracy of the kernels, measured: every family of pairs on WebGPU against the double-precision reference, and a share of
 * them, kernels and reference, against the brute-force oracle.
 *
 *     npm run accuracy -- [--pairs 1000000] [--judged 20000] [--seed 1] [--out FILE]
 *
 * Prints a Markdown table; exits with 1 if any pair is outside the tolerance of DESIGN or has a wrong sign.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { contact, createShape } from '../src/cpu/index.ts';
import { createTester } from '../src/node.ts';
import { Status, type Algorithm, type Tester } from '../src/types.ts';
import { makeShapeData } from '../src/shapes/shape-data.ts';
import { familyNames, makeFamily, makeStructuredFamily, poseOf, structuredFamilyNames, type Family } from '../test/families.ts';
import { oracleShape, signedDistance } from '../test/oracle/index.ts';

/** Tolerances as shares of max(sum of bounding radii, distance of the bodies). */
const GPU_TOLERANCE = 5e-6;
const REFERENCE_TOLERANCE = 1e-9;

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '1000000' },
    judged: { type: 'string', default: '20000' },
    structured: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const seed = Number(values.seed);

/** What was answered, pair by pair. */
interface Answers {
  distance: ArrayLike<number>;
  status: ArrayLike<number>;
}

/** What one comparison found. */
interface Tally {
  pairs: number;
  overlapping: number;
  /** Largest and 99.9th-percentile error, as shares of the pair's size. */
  largest: number;
  percentile: number;
  outside: number;
  wrongSigns: number;
  notConverged: number;
}

const rows: string[] = [];
let failures = 0;

const probe = await createTester({ backend: 'webgpu' });
const adapter = `${probe.adapter.description || probe.adapter.vendor}${probe.adapter.isSoftware ? ' (software)' : ''}`;
probe.dispose();

for (const name of familyNames) await measure(makeFamily(name, Number(values.pairs), seed), Number(values.judged));
for (const name of structuredFamilyNames) {
  await measure(makeStructuredFamily(name, Number(values.structured), seed), Math.min(Number(values.judged), Number(values.structured)));
}

const report = `# Accuracy

\`npm run accuracy -- --pairs ${values.pairs} --judged ${values.judged} --structured ${values.structured} --seed ${values.seed}\`
on ${adapter}. Contacts with \`margin: Infinity\`. Errors are shares of max(sum of bounding radii, distance of the bodies);
the tolerance is ${GPU_TOLERANCE} for the kernels and ${REFERENCE_TOLERANCE} for the reference in double precision.
A wrong sign is one where the true distance is farther from 0 than the tolerance.

| family | algorithm | compared | pairs | overlapping | largest error | 99.9 % below | outside tolerance | wrong signs | not converged |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}
`;
console.log(report);
if (values.out) writeFileSync(values.out, report);
process.exit(failures > 0 ? 1 : 0);

async function measure(family: Family, judged: number): Promise<void> {
  const gpu = await testerFor(family, 'webgpu');
  const cpu = await testerFor(family, 'cpu');
  const boxes = family.shapes.every(({ type }) => type === 'box');
  const algorithms: Algorithm[] = boxes ? ['sat', 'gjk'] : ['gjk'];
  for (const algorithm of algorithms) {
    const found = await gpu.contacts(family.bodies, family.pairs, { margin: Infinity, algorithm });
    const reference = await cpu.contacts(family.bodies, family.pairs, { margin: Infinity, algorithm });
    addRow(family, algorithm, 'kernels, reference', compare(family, found, (pair) => reference.distance[pair], found.count, GPU_TOLERANCE));
    const truth = truthOf(family, judged);
    addRow(family, algorithm, 'kernels, oracle', compare(family, found, (pair) => truth[pair], judged, GPU_TOLERANCE));
    const precise = referenceOf(family, algorithm, judged);
    addRow(family, algorithm, 'reference, oracle', compare(family, precise, (pair) => truth[pair], judged, REFERENCE_TOLERANCE));
  }
  gpu.dispose();
  cpu.dispose();
}

async function testerFor(family: Family, backend: 'webgpu' | 'cpu'): Promise<Tester> {
  const tester = await createTester({ backend });
  for (const shape of family.shapes) tester.addShape(shape);
  return tester;
}

/** The reference itself, whose answers a tester would round to f32. */
function referenceOf(family: Family, algorithm: Algorithm, count: number): Answers {
  const shapes = family.shapes.map(createShape);
  const { bodies, pairs } = family;
  const answers = Array.from({ length: count }, (_, pair) => {
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const options = { algorithm, margin: Infinity } as const;
    return contact(shapes[bodies.shapes[a]], poseOf(family, a), shapes[bodies.shapes[b]], poseOf(family, b), options);
  });
  return { distance: answers.map((answer) => answer.distance), status: answers.map((answer) => answer.status) };
}

function truthOf(family: Family, count: number): Float64Array {
  const shapes = family.shapes.map(oracleShape);
  return Float64Array.from({ length: count }, (_, pair) => {
    const a = family.pairs[2 * pair];
    const b = family.pairs[2 * pair + 1];
    const { bodies } = family;
    return signedDistance(shapes[bodies.shapes[a]], poseOf(family, a), shapes[bodies.shapes[b]], poseOf(family, b)).distance;
  });
}

function compare(family: Family, found: Answers, truth: (pair: number) => number, count: number, tolerance: number): Tally {
  const { shapes, positions } = family.bodies;
  const reach = family.shapes.map((shape) => makeShapeData(shape).boundingRadius);
  const errors = new Float64Array(count);
  const tally: Tally = { pairs: count, overlapping: 0, largest: 0, percentile: 0, outside: 0, wrongSigns: 0, notConverged: 0 };
  for (let pair = 0; pair < count; pair++) {
    const a = family.pairs[2 * pair];
    const b = family.pairs[2 * pair + 1];
    const apart = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * b + axis] - positions[3 * a + axis]));
    const size = Math.max(reach[shapes[a]] + reach[shapes[b]], apart);
    const expected = truth(pair);
    errors[pair] = Math.abs(found.distance[pair] - expected) / size;
    if (expected <= 0) tally.overlapping++;
    if (!(errors[pair] <= tolerance)) tally.outside++;
    if (found.status[pair] === Status.NotConverged) tally.notConverged++;
    else if (Math.abs(expected) > tolerance * size && (found.status[pair] === Status.Overlapping) !== expected <= 0) tally.wrongSigns++;
  }
  errors.sort();
  tally.largest = errors[count - 1];
  tally.percentile = errors[Math.floor(0.999 * (count - 1))];
  return tally;
}

function addRow(family: Family, algorithm: string, compared: string, tally: Tally): void {
  const { pairs, overlapping, largest, percentile, outside, wrongSigns, notConverged } = tally;
  failures += outside + wrongSigns;
  const share = `${((100 * overlapping) / pairs).toFixed(1)} %`;
  const cells = [family.name, algorithm, compared, pairs, share, largest.toExponential(1), percentile.toExponential(1), outside, wrongSigns, notConverged];
  rows.push(`| ${cells.join(' | ')} |`);
  console.error(rows.at(-1));
}
