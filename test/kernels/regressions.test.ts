/** Pairs that were once answered wrongly, judged by the oracle on both backends and by the reference. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as reference from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import regressions from '../../verification/fixtures/regressions.json' with { type: 'json' };
import { judgeContact, oracleShape } from '../../verification/oracle/index.ts';

interface RegressionBody {
  shape: ShapeDescription;
  position: number[];
  quaternion: number[];
  scale: number;
}

interface Regression {
  name: string;
  a: RegressionBody;
  b: RegressionBody;
  query: 'contacts' | 'distances';
  margin: number | null;
}

const cases = regressions.cases as Regression[];

/** As the tester rounds it. */
function rounded({ shape, position, quaternion, scale }: RegressionBody): RegressionBody {
  return {
    shape: JSON.parse(JSON.stringify(shape), (_, value) => (typeof value === 'number' ? Math.fround(value) : value)),
    position: position.map(Math.fround),
    quaternion: quaternion.map(Math.fround),
    scale: Math.fround(scale),
  };
}

describe.each(['webgpu', 'cpu'] as const)('%s answers right what was once answered wrongly', (backend) => {
  let tester: Tester;
  beforeAll(async () => {
    tester = await createTester({ backend });
  });
  afterAll(() => tester.dispose());

  test.each(cases)('$name', async ({ a, b, query, margin }) => {
    const bodies = {
      shapes: new Uint32Array([tester.addShape(a.shape), tester.addShape(b.shape)]),
      positions: new Float32Array([...a.position, ...b.position]),
      quaternions: new Float32Array([...a.quaternion, ...b.quaternion]),
      scales: new Float32Array([a.scale, b.scale]),
    };
    const options = { margin: margin ?? Infinity };
    const pairs = new Uint32Array([0, 1]);
    const result =
      query === 'contacts'
        ? await tester.contacts(bodies, pairs, { ...options, bounds: true })
        : await tester.distances(bodies, pairs, options);
    const [item] = result;
    const [roundedA, roundedB] = [rounded(a), rounded(b)];
    const [precision, rounding] =
      backend === 'webgpu' ? (['kernels', 0] as const) : (['reference', F32_ROUNDING] as const);
    expect(item.status).not.toBe(Status.NotConverged);
    expect(
      judgeContact(oracleShape(roundedA.shape), roundedA, oracleShape(roundedB.shape), roundedB, item, precision, {
        query,
        rounding,
        ...options,
      }),
    ).toEqual([]);
  });
});

test.each(cases)('the reference in double precision: $name', ({ a, b, query, margin }) => {
  const options = { margin: margin ?? Infinity };
  const ask = query === 'contacts' ? reference.contact : reference.distance;
  const { shape: shapeA, ...poseA } = a;
  const { shape: shapeB, ...poseB } = b;
  const found = ask(reference.createShape(shapeA), poseA, reference.createShape(shapeB), poseB, options);
  expect(
    judgeContact(oracleShape(a.shape), a, oracleShape(b.shape), b, found, 'reference', {
      query,
      ...options,
      points: 'f64',
    }),
  ).toEqual([]);
});
