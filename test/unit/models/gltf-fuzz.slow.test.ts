/** Damaged glTF files are refused in one line or accepted. They neither crash nor hang. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atNight } from '../../helpers/night.ts';
import { glbFile, glbOf, makeCrate, refusal, type GltfWriter, type Json } from '../../helpers/gltf.ts';

const RUNS = atNight(500, 3000);

const collider = (shape: number): Json => ({
  KHR_physics_rigid_bodies: { motion: {}, collider: { geometry: { shape } } },
});

/** A file with everything that is read. */
function makeRich(): GltfWriter {
  const gltf = makeCrate();
  const { json } = gltf;
  json.extensions = {
    KHR_implicit_shapes: { shapes: [{ type: 'box' }, { type: 'cylinder', cylinder: { radiusTop: 0.1 } }] },
  };
  gltf.root({ name: 'box', extensions: collider(0) });
  gltf.root({ name: 'cone', scale: [1, 2, 3], extensions: collider(1) });
  const geometry = { node: 0, convexHull: true };
  gltf.root({
    name: 'hull',
    matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1],
    extensions: { KHR_physics_rigid_bodies: { collider: { geometry } } },
  });
  const TRANSLATION = gltf.accessor('VEC3', Float32Array.of(0, 0, 0, 3, 0, 0));
  gltf.root({
    mesh: 0,
    rotation: [0, 0, 1, 0],
    extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION } } },
  });
  const [indices, values] = [gltf.view(Uint8Array.of(1, 5)), gltf.view(new Float32Array(6))];
  json.accessors[0].sparse = {
    count: 2,
    indices: { bufferView: indices, componentType: 5121 },
    values: { bufferView: values },
  };
  return gltf;
}

test('bytes that are changed are refused in one line or accepted', async () => {
  const file = glbFile(makeRich());
  const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255));
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const bytes = file.slice();
      for (const [at, value] of changes) bytes[at] = value;
      if ((await refusal(bytes)) === 'accepted') accepted++;
    }),
    { seed: 25, numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(RUNS / 30);
  expect(accepted).toBeLessThan(0.967 * RUNS);
});

test('values in the JSON that are replaced, removed or repeated are refused in one line or accepted', async () => {
  const { json, binary } = makeRich();
  const text = JSON.stringify(json);
  const paths = valuePaths(json);
  const value = fc.oneof(
    fc.constantFrom(undefined, null, -1, 0.5, 1e308, 2 ** 32, 2 ** 53, '', 'x', true, [], {}, [0, 0], [1, 1, 1, 1]),
    fc.nat(12),
    fc.jsonValue({ maxDepth: 2 }),
  );
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(paths.length - 1), value), { minLength: 1, maxLength: 3 }),
      async (changes) => {
        const copy = JSON.parse(text) as Json;
        for (const [index, replacement] of changes) replace(copy, paths[index], replacement);
        if ((await refusal(glbOf(copy, binary()))) !== 'accepted') refused++;
      },
    ),
    { seed: 25, numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(RUNS / 3);
  expect(refused).toBeLessThan(0.967 * RUNS);
});

/** The paths of all values in the JSON. */
function valuePaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, item]) => valuePaths(item, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

function replace(root: Json, path: readonly string[], value: unknown): void {
  let parent: Json = root;
  for (const key of path.slice(0, -1)) {
    if (typeof parent[key] !== 'object' || parent[key] === null) return;
    parent = parent[key];
  }
  parent[path.at(-1)!] = value;
}
