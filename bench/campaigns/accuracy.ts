/**
 * Accuracy of the kernels, measured on many pairs: every family on WebGPU against the double-precision reference, and a
 * share of them, kernels and reference, against the brute-force oracle. Of overlapping polytopes the oracle judges every
 * pair, and for the kernels all that is promised of a contact. `narrowphase conformance` judges fewer pairs, but all that
 * is promised of them, on every engine.
 *
 *     npm run accuracy -- [--pairs 1000000] [--judged 20000] [--structured 100000] [--polytopes 100000] [--seed 1]
 *                         [--families A,B] [--as-hardware] [--out FILE]
 *
 * `--families` chooses by name; default: all. `--as-hardware` runs the kernels of graphics cards on any adapter. Prints
 * Markdown tables; exits with 1 if any pair is outside the tolerance (src/shapes/tolerances.ts) or has a wrong sign, or if
 * an overlapping polytope breaks a promise or is open.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { distanceErrors, type DistanceErrors, type Distances } from '../../verification/statistics/distance-errors.ts';
import { judgedBodies } from '../../verification/families/judged-bodies.ts';
import { judgeContact, type OracleShape, type ReportedContact } from '../../verification/oracle/index.ts';
import { oracleDistance, oraclePair, oracleShapes } from '../../verification/oracle/family-oracle.ts';
import { asHardware } from '../../verification/engines/as-hardware.ts';
import { createReference, poseOfPair } from '../../verification/judges/reference.ts';
import { contact, createShape } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { dawnDrivers, withDawn } from '../../src/node/dawn.ts';
import { CURVED_TOLERANCE, TOLERANCE, toleranceOf, type Precision } from '../../src/shapes/tolerances.ts';
import { isCurved } from '../../src/shapes/kinds.ts';
import { CORE_BOX } from '../../src/generated/constants.ts';
import { Status, type Algorithm, type Tester } from '../../src/api/types.ts';
import { makePolytopeFamily, polytopeFamilyNames } from '../../verification/families/overlapping-polytopes.ts';
import {
  familyNames,
  makeFamily,
  makeStructuredFamily,
  poseOf,
  structuredFamilyNames,
  type Family,
} from '../../verification/families/families.ts';
import { generatorText } from '../revision.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '1000000' },
    judged: { type: 'string', default: '20000' },
    structured: { type: 'string', default: '100000' },
    polytopes: { type: 'string', default: '100000' },
    families: { type: 'string' },
    'as-hardware': { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const seed = Number(values.seed);
/** Pairs of a family whose broken promises are printed. */
const MOST_FAULTS = 5;

const chosen = values.families?.split(',');
/** Of the code that runs: commits may follow before the report is written. */
const generator = generatorText();

const rows: string[] = [];
const promises: string[] = [];
let failures = 0;

const isCard = values['as-hardware'];
const probe = await createTester({ backend: 'webgpu' });
const adapter = `${probe.adapter.description || probe.adapter.vendor}${probe.adapter.isSoftware ? ' (software)' : ''}`;
probe.dispose();

const isChosen = (name: string): boolean => chosen?.includes(name) ?? true;
for (const name of familyNames.filter(isChosen)) {
  await measure(makeFamily(name, Number(values.pairs), seed), Number(values.judged));
}
for (const name of structuredFamilyNames.filter(isChosen)) {
  await measure(
    makeStructuredFamily(name, Number(values.structured), seed),
    Math.min(Number(values.judged), Number(values.structured)),
  );
}
for (const name of polytopeFamilyNames.filter(isChosen)) {
  await measure(makePolytopeFamily(name, Number(values.polytopes), seed), Number(values.polytopes), true);
}

const report = `# Accuracy

\`npm run accuracy -- --pairs ${values.pairs} --judged ${values.judged} --structured ${values.structured} \
--polytopes ${values.polytopes} --seed ${values.seed}${chosen ? ` --families ${values.families}` : ''}${isCard ? ' --as-hardware' : ''}\`
on ${adapter}; ${generator}, ${new Date().toISOString().slice(0, 10)}. Contacts with \`margin: Infinity\`. Errors are
shares of max(sum of bounding radii, distance of the bodies); the tolerance is ${TOLERANCE.kernels} for the kernels and \
${TOLERANCE.reference} for the reference in double precision;
with a cylinder, a cone or an ellipsoid ${CURVED_TOLERANCE.kernels.apart} apart and ${CURVED_TOLERANCE.kernels.overlapping} \
overlapping for the kernels, ${CURVED_TOLERANCE.reference.apart} for the reference.
A wrong sign is one where the true distance is farther from 0 than the tolerance. Pairs that did not converge are only \
counted.

| family | algorithm | compared | pairs | overlapping | largest error | 99.9 % below | outside tolerance | wrong signs | not converged |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}

## Overlapping polytopes

All that is promised of a contact (docs/accuracy.md), for every pair of these families: the signed \
distance, the unit normal, the distance along it, the witness points, and bounds that hold. "Open" pairs have another \
status than separated or overlapping.

| family | algorithm | answers of | pairs | overlapping | broken promises | open |
| --- | --- | --- | ---: | ---: | ---: | ---: |
${promises.join('\n')}
`;
console.log(report);
if (values.out) writeFileSync(values.out, report);
process.exit(failures > 0 ? 1 : 0);

/** `judged` pairs by the oracle; with `judgesPromises` all that is promised of them. */
async function measure(family: Family, judged: number, judgesPromises = false): Promise<void> {
  const gpu = await testerFor(family);
  const shapes = oracleShapes(family);
  const sizes = pairSizes(family);
  const truth = Float64Array.from({ length: judged }, (_, pair) => oracleDistance(family, shapes, pair));
  const kinds = family.shapes.map((shape) => createShape(shape).kind);
  const kindOf = (body: number): number => kinds[family.bodies.shapes[family.pairs[body]]];
  const tolerance =
    (precision: Precision, distances: ArrayLike<number>) =>
    (pair: number): number =>
      toleranceOf(precision, kindOf(2 * pair), kindOf(2 * pair + 1), distances[pair] <= 0);
  for (const algorithm of algorithmsOf(kinds)) {
    const options = { margin: Infinity, algorithm, bounds: true };
    const found = await gpu.contacts(family.bodies, family.pairs, options);
    const reference = referenceDistances(family, found.count, algorithm);
    addRow(
      family,
      algorithm,
      'kernels, reference',
      distanceErrors(found, reference.distance, sizes, found.count, tolerance('kernels', reference.distance)),
    );
    addRow(
      family,
      algorithm,
      'kernels, oracle',
      distanceErrors(found, truth, sizes, judged, tolerance('kernels', truth)),
    );
    addRow(
      family,
      algorithm,
      'reference, oracle',
      distanceErrors(reference, truth, sizes, judged, tolerance('reference', truth)),
    );
    if (!judgesPromises) continue;
    addPromises(family, algorithm, 'kernels', shapes, found, truth);
    addPromises(family, algorithm, 'reference', shapes, referenceContacts(family, found.count, algorithm), truth);
  }
  gpu.dispose();
}

/** `'auto'` where it differs from `'gjk'`; for boxes it is `'sat'`. */
function algorithmsOf(kinds: readonly number[]): Algorithm[] {
  if (kinds.every((kind) => kind === CORE_BOX)) return ['sat', 'gjk'];
  return kinds.every(isCurved) ? ['gjk'] : ['auto', 'gjk'];
}

function addPromises(
  family: Family,
  algorithm: Algorithm,
  precision: Precision,
  shapes: readonly OracleShape[],
  answers: Iterable<ReportedContact>,
  truth: Float64Array,
): void {
  let [overlapping, broken, open, pair] = [0, 0, 0, 0];
  for (const answer of answers) {
    const { a, poseA, b, poseB } = oraclePair(family, shapes, pair);
    if (truth[pair] <= 0) overlapping++;
    if (answer.status > Status.Overlapping) open++;
    const faults = judgeContact(a, poseA, b, poseB, answer, precision, {
      truth: truth[pair],
      points: precision === 'kernels' ? 'f32' : 'f64',
    });
    if (faults.length > 0 && broken++ < MOST_FAULTS)
      console.error(`${family.name} by ${algorithm}, ${precision}, pair ${pair}: ${faults.join('; ')}`);
    pair++;
  }
  failures += broken + open;
  promises.push(`| ${[family.name, algorithm, precision, pair, overlapping, broken, open].join(' | ')} |`);
  console.error(promises.at(-1));
}

/** max(s, |B - A|) of each pair. */
function pairSizes(family: Family): Float64Array {
  const bodies = judgedBodies(family);
  const posedPair = createReference();
  return Float64Array.from({ length: family.pairs.length / 2 }, (_, pair) => {
    poseOfPair(bodies, family.pairs[2 * pair], family.pairs[2 * pair + 1], posedPair);
    return posedPair.size;
  });
}

/** Distances of the reference itself, of the first `count` pairs; a tester would round them to f32. */
function referenceDistances(family: Family, count: number, algorithm: Algorithm): Distances {
  const distance = new Float64Array(count);
  const status = new Uint8Array(count);
  let pair = 0;
  for (const answer of referenceContacts(family, count, algorithm)) {
    distance[pair] = answer.distance;
    status[pair++] = answer.status;
  }
  return { distance, status };
}

function* referenceContacts(family: Family, count: number, algorithm: Algorithm): Generator<ReportedContact> {
  const shapes = family.shapes.map((shape) => createShape(shape));
  const { bodies, pairs } = family;
  const options = { algorithm, margin: Infinity };
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    yield contact(shapes[bodies.shapes[a]], poseOf(family, a), shapes[bodies.shapes[b]], poseOf(family, b), options);
  }
}

async function testerFor(family: Family): Promise<Tester> {
  const [driver] = await dawnDrivers();
  const tester = await (isCard
    ? withDawn(driver, (dawn) => createTester({ backend: 'webgpu', gpu: asHardware(dawn) }))
    : createTester({ backend: 'webgpu' }));
  for (const shape of family.shapes) tester.addShape(shape);
  return tester;
}

function addRow(family: Family, algorithm: string, compared: string, errors: DistanceErrors): void {
  const { pairs, overlapping, largest, percentile, outside, wrongSigns, notConverged } = errors;
  failures += outside + wrongSigns;
  const share = `${((100 * overlapping) / pairs).toFixed(1)} %`;
  const cells = [
    family.name,
    algorithm,
    compared,
    pairs,
    share,
    largest.toExponential(1),
    percentile.toExponential(1),
    outside,
    wrongSigns,
    notConverged,
  ];
  rows.push(`| ${cells.join(' | ')} |`);
  console.error(rows.at(-1));
}
