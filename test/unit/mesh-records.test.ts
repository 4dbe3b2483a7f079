/** The choice among contacts of one part with a mesh, by records of the first pass. */
import { expect, test } from 'vitest';
import { vec3 } from '../../src/cpu/math.ts';
import { partTree } from '../../src/parts/part-sources.ts';
import {
  appendRecord,
  AT_DROPPED,
  createContactRecord,
  createRecordList,
  KIND_FACE,
  KIND_KEPT,
  RECORD_SIZE,
  type ContactRecord,
} from '../../src/parts/surface/contact-records.ts';
import { chooseDeepest } from '../../src/parts/surface/deepest-record.ts';
import { meshSurface } from '../../src/parts/surface/mesh-surface.ts';
import { judgeContacts } from '../../src/parts/surface/second-pass.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import type { Mesh } from '../../src/shapes/parts.ts';
import { finish } from '../../src/util/turns.ts';
import { makeSheet } from '../helpers/meshes.ts';

const shape = makeShapeData({ type: 'mesh', ...makeSheet(2, () => 0) });
finish(partTree(shape));
const surface = finish(meshSurface(shape.parts as Mesh));

/** The number of the record that is chosen, and the records that are dropped. */
function choose(...given: Partial<ContactRecord>[]): { found: number; dropped: number[] } {
  const list = createRecordList();
  given.forEach((record, part) =>
    appendRecord(list, { ...createContactRecord(), part, normal: vec3(0, 1, 0), ...record }),
  );
  const records = given.map((_, i) => i);
  const contacts = { surface, values: list.values, records, angle: 2e-6 };
  finish(judgeContacts(contacts));
  const found = chooseDeepest(contacts);
  return { found, dropped: records.filter((i) => list.values[RECORD_SIZE * i + AT_DROPPED] === 1) };
}

test('a part that overlaps by less than its gap along the accepted normal has that contact', () => {
  const apart = { kind: KIND_KEPT, depth: -1e-3, clearance: -1e-3, exit: -1e-3, travel: -1e-3 };
  for (const exit of [-1e-8, -1e-4, 0]) {
    const touching = { kind: KIND_FACE, depth: 1e-8, clearance: exit, exit, travel: exit };
    expect(choose(apart, touching)).toEqual({ found: 1, dropped: [] });
    expect(choose(touching)).toEqual({ found: 0, dropped: [] });
  }
});

test('of contacts that do not clear each other, the deepest is chosen', () => {
  const [first, second, third] = [0.1, 0.3, 0.2].map((depth) => ({
    kind: KIND_KEPT,
    depth,
    clearance: depth,
    exit: depth,
    travel: depth,
    // No triangle is behind it.
    plane: -1,
  }));
  expect(choose(first, second, third)).toEqual({ found: 1, dropped: [] });
});
