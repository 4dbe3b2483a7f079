/**
 * Accuracy of the kernels, measured on many pairs: every family on WebGPU against the double-precision reference, and a
 * share of them, kernels and reference, against the brute-force oracle. `narrowphase conformance` judges fewer pairs,
 * but all that is promised of them, on every engine.
 *
 *     npm run accuracy -- [--pairs 1000000] [--judged 20000] [--seed 1] [--out FILE]
 *
 * Prints a Markdown table; exits with 1 if any pair is outside the tolerance (src/shapes/tolerances.ts) or has a wrong sign.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { distanceErrors, type DistanceErrors, type Distances } from '../../verification/statistics/distance-errors.ts';
import { familyScene } from '../../verification/families/family-scene.ts';
import { oracleDistance, oracleShapes } from '../../verification/oracle/family-oracle.ts';
import { createReference, poseOfPair } from '../../verification/judges/reference.ts';
import { contact, createShape } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { CURVED_TOLERANCE, TOLERANCE, toleranceOf, type Precision } from '../../src/shapes/tolerances.ts';
import type { Algorithm, Tester } from '../../src/api/types.ts';
import {
  familyNames,
  makeFamily,
  makeStructuredFamily,
  poseOf,
  structuredFamilyNames,
  type Family,
} from '../../verification/families/families.ts';

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

const rows: string[] = [];
let failures = 0;

const probe = await createTester({ backend: 'webgpu' });
const adapter = `${probe.adapter.description || probe.adapter.vendor}${probe.adapter.isSoftware ? ' (software)' : ''}`;
probe.dispose();

for (const name of familyNames) await measure(makeFamily(name, Number(values.pairs), seed), Number(values.judged));
for (const name of structuredFamilyNames) {
  await measure(
    makeStructuredFamily(name, Number(values.structured), seed),
    Math.min(Number(values.judged), Number(values.structured)),
  );
}

const report = `# Accuracy

\`npm run accuracy -- --pairs ${values.pairs} --judged ${values.judged} --structured ${values.structured} --seed ${values.seed}\`
on ${adapter}. Contacts with \`margin: Infinity\`. Errors are shares of max(sum of bounding radii, distance of the bodies);
the tolerance is ${TOLERANCE.kernels} for the kernels and ${TOLERANCE.reference} for the reference in double \
precision; with a cylinder, a cone or an
ellipsoid ${CURVED_TOLERANCE.kernels.apart} apart and ${CURVED_TOLERANCE.kernels.overlapping} overlapping for the \
kernels, ${CURVED_TOLERANCE.reference.apart} for the reference.
A wrong sign is one where the true distance is farther from 0 than the tolerance. Pairs that did not converge are only counted.

| family | algorithm | compared | pairs | overlapping | largest error | 99.9 % below | outside tolerance | wrong signs | not converged |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}
`;
console.log(report);
if (values.out) writeFileSync(values.out, report);
process.exit(failures > 0 ? 1 : 0);

async function measure(family: Family, judged: number): Promise<void> {
  const gpu = await testerFor(family);
  const shapes = oracleShapes(family);
  const sizes = pairSizes(family);
  const truth = Float64Array.from({ length: judged }, (_, pair) => oracleDistance(family, shapes, pair));
  const boxes = family.shapes.every(({ type }) => type === 'box');
  const algorithms: Algorithm[] = boxes ? ['sat', 'gjk'] : ['gjk'];
  const kinds = family.shapes.map((shape) => createShape(shape).kind);
  const kindOf = (body: number): number => kinds[family.bodies.shapes[family.pairs[body]]];
  const tolerance =
    (precision: Precision, distances: ArrayLike<number>) =>
    (pair: number): number =>
      toleranceOf(precision, kindOf(2 * pair), kindOf(2 * pair + 1), distances[pair] <= 0);
  for (const algorithm of algorithms) {
    const found = await gpu.contacts(family.bodies, family.pairs, { margin: Infinity, algorithm });
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
  }
  gpu.dispose();
}

/** max(s, |B - A|) of each pair. */
function pairSizes(family: Family): Float64Array {
  const scene = familyScene(family);
  const posedPair = createReference();
  return Float64Array.from({ length: family.pairs.length / 2 }, (_, pair) => {
    poseOfPair(scene, family.pairs[2 * pair], family.pairs[2 * pair + 1], posedPair);
    return posedPair.size;
  });
}

/** Answers of the reference itself to the first `count` pairs; a tester would round them to f32. */
function referenceDistances(family: Family, count: number, algorithm: Algorithm): Distances {
  const shapes = family.shapes.map((shape) => createShape(shape));
  const { bodies, pairs } = family;
  const distance = new Float64Array(count);
  const status = new Uint8Array(count);
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const answer = contact(shapes[bodies.shapes[a]], poseOf(family, a), shapes[bodies.shapes[b]], poseOf(family, b), {
      algorithm,
      margin: Infinity,
    });
    distance[pair] = answer.distance;
    status[pair] = answer.status;
  }
  return { distance, status };
}

async function testerFor(family: Family): Promise<Tester> {
  const tester = await createTester({ backend: 'webgpu' });
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
