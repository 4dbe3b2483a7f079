/** Names that do not exist are refused everywhere, with the nearest one that does; those that exist are taken. */
import { describe, expect, test } from 'vitest';
import { contact, createShape, impact, planar } from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { nearestName } from '../../src/util/known.ts';
import { boxTesters, pairs, planarRays, rays, refusalOf, twoBodies, twoPlanarBodies } from '../helpers/two-bodies.ts';

const { tester, plane } = await boxTesters();
const bodies = twoBodies();
const planarBodies = twoPlanarBodies();
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const placed = {
  shapes: new Uint32Array(2),
  matrices: Float32Array.of(...identity, 0, 0, 0, 1, ...identity, 3, 0, 0, 1),
  groups: bodies.groups,
  fixed: bodies.fixed,
  linearVelocities: bodies.linearVelocities,
};
const { signal } = new AbortController();
const common = { algorithm: 'auto', mprDepth: undefined, margin: 1, results: 'all', target: undefined };
const shared = { ...common, escalate: false, warmStart: undefined, bodies: true, fields: ['pair'], signal };
const { mprDepth: _, warmStart: __, ...moving } = shared;
const queryOptions = {
  intersects: shared,
  distances: shared,
  contacts: { ...shared, bounds: true },
  manifolds: shared,
  impacts: { ...moving, duration: 1, stopAtPenetration: true },
};

const box = createShape({ type: 'box', halfExtents: [1, 1, 1] });
const pose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1], scale: 1 };
const movingPose = { ...pose, linearVelocity: [1, 0, 0], angularVelocity: [0, 0, 0] };
const rectangle = planar.createShape({ type: 'rectangle', halfExtents: [1, 1] });
const planarPose = { position: [0, 0], angle: 0, scale: 1 };
const planarMovingPose = { ...planarPose, linearVelocity: [1, 0], angularVelocity: 0 };
const cpuOptions = { algorithm: 'gjk', mprDepth: undefined, margin: 1 };
const cpuImpactOptions = { algorithm: 'cast', margin: 1, duration: 1, stopAtPenetration: true };

const points = [0, 0, 0, 1, 0, 0, 0, 1, 0];
const shapes: Record<ShapeDescription['type'], ShapeDescription> = {
  sphere: { type: 'sphere', radius: 1 },
  box: { type: 'box', halfExtents: [1, 1, 1], radius: 0 },
  capsule: { type: 'capsule', halfHeight: 1, radius: 1 },
  triangle: { type: 'triangle', points, radius: 0 },
  hull: { type: 'hull', points, radius: 0 },
  cylinder: { type: 'cylinder', halfHeight: 1, radius: 1 },
  cone: { type: 'cone', halfHeight: 1, radius: 1 },
  ellipsoid: { type: 'ellipsoid', radii: [1, 2, 3] },
  halfspace: { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
  compound: { type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 } }] },
  mesh: { type: 'mesh', positions: points, indices: [0, 1, 2] },
};
const planarShapes: Record<PlanarShapeDescription['type'], PlanarShapeDescription> = {
  circle: { type: 'circle', radius: 1 },
  segment: { type: 'segment', points: [0, 0, 1, 0], radius: 0 },
  capsule: { type: 'capsule', halfHeight: 1, radius: 1 },
  rectangle: { type: 'rectangle', halfExtents: [1, 1], radius: 0 },
  polygon: { type: 'polygon', points: [0, 0, 1, 0, 0, 1], radius: 0, convexify: false },
  compound: { type: 'compound', parts: [{ shape: { type: 'circle', radius: 1 } }] },
  chain: { type: 'chain', points: [0, 0, 1, 0, 0, 1], loop: false, sides: 'both' },
};

const sceneBody = { shape: 'crate', position: [0, 0, 0], quaternion: [0, 0, 0, 1], scale: 1, name: 'left' };
const scene = {
  version: 1,
  name: 'crates',
  shapes: [{ id: 'crate', type: 'box', halfExtents: [1, 1, 1], radius: 0 }],
  bodies: [sceneBody, { ...sceneBody, name: 'right' }],
  pairs: 'all',
  margin: 0,
  allowed: [['left', 'right']],
};
const sceneLists = { shapes: [0], positions: [0, 0, 0], quaternions: [0, 0, 0, 1], scales: [1] };

type Given = Record<string, unknown>;

/** An entry that takes an object with all the names that exist, and what its errors call that object. */
interface Entry {
  name: string;
  field: string;
  known: Given;
  call(given: never): unknown;
}

const entries: Entry[] = [
  {
    name: 'createTester',
    field: 'options',
    known: {
      backend: 'cpu',
      threads: 1,
      dimension: 3,
      device: undefined,
      gpu: undefined,
      powerPreference: 'low-power',
      onDeviceLost: undefined,
    },
    call: (options) => createTester(options),
  },
  ...(Object.keys(queryOptions) as (keyof typeof queryOptions)[]).flatMap((query): Entry[] => {
    const known = queryOptions[query] as never;
    return [
      { name: query, field: 'options', known, call: (options) => tester[query](bodies, pairs, options) },
      { name: query, field: 'bodies', known: bodies, call: (given) => tester[query](given, pairs, known) },
      { name: query, field: 'bodies', known: placed, call: (given) => tester[query](given, pairs, known) },
      { name: `2-D ${query}`, field: 'options', known, call: (options) => plane[query](planarBodies, pairs, options) },
      {
        name: `2-D ${query}`,
        field: 'bodies',
        known: planarBodies,
        call: (given) => plane[query](given, pairs, known),
      },
    ];
  }),
  {
    name: 'findPairs',
    field: 'options',
    known: { margin: 1, duration: 1, signal },
    call: (options) => tester.findPairs(bodies, options),
  },
  { name: 'findPairs', field: 'bodies', known: bodies, call: (given) => tester.findPairs(given) },
  { name: '2-D findPairs', field: 'bodies', known: planarBodies, call: (given) => plane.findPairs(given) },
  {
    name: 'rayCasts',
    field: 'options',
    known: { algorithm: 'cast', target: undefined, fields: ['time'], signal },
    call: (options) => tester.rayCasts(bodies, rays, options),
  },
  { name: 'rayCasts', field: 'bodies', known: bodies, call: (given) => tester.rayCasts(given, rays) },
  { name: 'rayCasts', field: 'rays', known: rays, call: (given) => tester.rayCasts(bodies, given) },
  { name: '2-D rayCasts', field: 'rays', known: planarRays, call: (given) => plane.rayCasts(planarBodies, given) },
  ...Object.entries(shapes).flatMap(([type, known]): Entry[] => [
    { name: `addShape ${type}`, field: 'description', known: { ...known }, call: (given) => tester.addShape(given) },
    { name: `createShape ${type}`, field: 'description', known: { ...known }, call: (given) => createShape(given) },
    {
      name: `a scene's ${type}`,
      field: 'shapes[0]',
      known: { id: 'one', ...known },
      call: (given) => parseScene(JSON.stringify({ version: 1, shapes: [given], bodies: [], pairs: [] })),
    },
  ]),
  ...Object.entries(planarShapes).flatMap(([type, known]): Entry[] => [
    { name: `2-D addShape ${type}`, field: 'description', known: { ...known }, call: (given) => plane.addShape(given) },
    {
      name: `planar.createShape ${type}`,
      field: 'description',
      known: { ...known },
      call: (given) => planar.createShape(given),
    },
  ]),
  {
    name: 'planar.contact',
    field: 'options',
    known: cpuOptions,
    call: (options) => planar.contact(rectangle, planarPose, rectangle, planarPose, options),
  },
  {
    name: 'contact',
    field: 'options',
    known: cpuOptions,
    call: (options) => contact(box, pose, box, pose, options),
  },
  {
    name: 'contact',
    field: 'poseA',
    known: movingPose,
    call: (given) => contact(box, given, box, pose),
  },
  { name: 'contact', field: 'poseB', known: movingPose, call: (given) => contact(box, pose, box, given) },
  {
    name: 'impact',
    field: 'options',
    known: cpuImpactOptions,
    call: (options) => impact(box, movingPose, box, movingPose, options),
  },
  {
    name: 'impact',
    field: 'poseB',
    known: movingPose,
    call: (given) => impact(box, movingPose, box, given, { duration: 1 }),
  },
  {
    name: 'planar.contact',
    field: 'poseA',
    known: planarMovingPose,
    call: (given) => planar.contact(rectangle, given, rectangle, planarPose),
  },
  {
    name: 'planar.impact',
    field: 'options',
    known: cpuImpactOptions,
    call: (options) => planar.impact(rectangle, planarMovingPose, rectangle, planarMovingPose, options),
  },
  {
    name: 'planar.impact',
    field: 'poseA',
    known: planarMovingPose,
    call: (given) => planar.impact(rectangle, given, rectangle, planarMovingPose, { duration: 1 }),
  },
  { name: 'a scene', field: '', known: scene, call: (given) => parseScene(JSON.stringify(given)) },
  {
    name: "a scene's body",
    field: 'bodies[0]',
    known: sceneBody,
    call: (given) => parseScene(JSON.stringify({ ...scene, bodies: [given], pairs: [], allowed: undefined })),
  },
  {
    name: "a scene's lists of bodies",
    field: 'bodies',
    known: sceneLists,
    call: (given) => parseScene(JSON.stringify({ ...scene, bodies: given, pairs: [], allowed: undefined })),
  },
];

/** The name with its last letter left out, or one doubled where what is left is a name as well, as of `bodies`. */
function misspelt(name: string, known: Given): string {
  const shorter = name.slice(0, -1);
  return shorter in known || shorter.length < 2 ? `${name}${name.at(-1)}` : shorter;
}

describe.each(entries)('$name: $field', ({ field, known, call }) => {
  const path = (name: string): string => (field === '' ? name : `${field}.${name}`);

  test('all names that exist are taken', async () => {
    await call(known as never);
  });

  test.each(Object.keys(known))('%s misspelt is refused, and meant', async (name) => {
    const wrong = misspelt(name, known);
    const { [name]: value, ...others } = known;
    // JSON has nothing that is undefined.
    const message = await refusalOf(() => call({ ...others, [name]: value, [wrong]: value ?? null } as never));
    expect(message).toMatch(/ is unknown( for [^;]+)?; did you mean '\w+'\?$/);
    expect(message.startsWith(`${path(wrong)} is unknown`)).toBe(true);
    expect(message).toContain(`did you mean '${name}'?`);
  });

  test('a name like no other is refused, and those that exist are listed', async () => {
    const message = await refusalOf(() => call({ ...known, zzyzxzzyzx: 1 } as never));
    expect(message).toMatch(/ is unknown( for [^,]+)?, expected '/);
    expect(message.startsWith(`${path('zzyzxzzyzx')} is unknown`)).toBe(true);
    for (const name of Object.keys(known)) expect(message).toContain(`'${name}'`);
  });
});

test('an unknown name is refused with an undefined value too', async () => {
  expect(await refusalOf(() => tester.contacts(bodies, pairs, { margn: undefined } as never))).toBe(
    "options.margn is unknown for contacts; did you mean 'margin'?",
  );
});

test('a field of another type of shape is unknown for this one', async () => {
  expect(await refusalOf(() => tester.addShape({ type: 'sphere', radius: 1, halfHeight: 1 } as never))).toBe(
    "description.halfHeight is unknown for a shape of type 'sphere', expected 'type' or 'radius'",
  );
  expect(
    await refusalOf(() => plane.addShape({ type: 'rectangle', halfExtents: [1, 1], convexify: true } as never)),
  ).toBe(
    "description.convexify is unknown for a shape of type 'rectangle', expected 'type', 'halfExtents' or 'radius'",
  );
});

test('an option of another query is unknown for this one', async () => {
  expect(await refusalOf(() => tester.intersects(bodies, pairs, { bounds: true } as never))).toMatch(
    /^options\.bounds is unknown for intersects, expected 'algorithm', /,
  );
  expect(await refusalOf(() => tester.contacts(bodies, pairs, { duration: 1 } as never))).toMatch(
    /^options\.duration is unknown for contacts, expected /,
  );
});

test('rotations of the other dimension are refused by name', async () => {
  const { quaternions: _q, ...flat } = bodies;
  expect(await refusalOf(() => tester.contacts({ ...flat, angles: new Float32Array(2) } as never, pairs))).toMatch(
    /^bodies\.quaternions is undefined, expected a Float32Array; angles are for a tester of dimension 2$/,
  );
  expect(await refusalOf(() => plane.contacts({ ...planarBodies, quaternions: 1 } as never, pairs))).toMatch(
    /^bodies\.quaternions is 1, expected nothing/,
  );
});

const refusal = (name: string): Promise<string> => refusalOf(() => tester.findPairs(bodies, { [name]: 1 } as never));

test('names that are no identifiers or very long are shown in one line', async () => {
  expect(await refusal('a\nb')).toBe(
    String.raw`options["a\nb"] is unknown for findPairs, expected 'margin', 'duration' or 'signal'`,
  );
  expect(await refusal('m'.repeat(1e6))).toBe(
    `options.${'m'.repeat(57)}... is unknown for findPairs, expected 'margin', 'duration' or 'signal'`,
  );
});

test.each([
  ['margn', 'margin'],
  ['MARGIN', 'margin'],
  ['amrgin', 'margin'],
  ['marginal', 'margin'],
  ['algorythm', 'algorithm'],
  ['signal', 'signal'],
  ['size', undefined],
  ['x', undefined],
  ['', undefined],
])('the nearest name to %j is %j', (name, nearest) => {
  expect(nearestName(name, ['algorithm', 'margin', 'signal'])).toBe(nearest);
});
