/**
 * STL, binary and ASCII. Binary: a header of 80 bytes, the number of triangles, and 50 bytes per triangle: normal, three
 * corners, two bytes that programs use for colours. ASCII: any number of solids with names. Normals are not used.
 */

import { allocate } from '../../../src/util/arrays.ts';
import { createGrowingArray, type GrowingArray } from './growing-array.ts';
import { MODEL_LIMITS } from './model.ts';
import { refuse, refuseAsTooLarge } from './refusal.ts';
import type { Solid } from './solids.ts';
import { linesOf } from './text-lines.ts';

const HEADER = 84;
const PER_TRIANGLE = 50;

/** Whether the size of the file is the one that its number of triangles makes. */
export function isBinaryStl(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER && bytes.length === HEADER + PER_TRIANGLE * countOf(bytes);
}

function countOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
}

/** `name` is that of the file. A solid without a name gets it. */
export function readBinaryStl(bytes: Uint8Array, name: string): Solid[] {
  if (bytes.length < HEADER)
    refuse(`has ${bytes.length} bytes, expected at least ${HEADER}, the header of a binary STL file`);
  const count = countOf(bytes);
  if (!isBinaryStl(bytes)) {
    const size = HEADER + PER_TRIANGLE * count;
    refuse(`its header says ${count} triangles, which take ${size} bytes, but the file has ${bytes.length}`);
  }
  if (count === 0) refuse('has no triangle, expected at least one');
  if (count > MODEL_LIMITS.triangles) {
    refuseAsTooLarge(`has ${count} triangles, expected at most ${MODEL_LIMITS.triangles}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const positions = allocate('the vertices', Float32Array, 9 * count);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 9; k++) positions[9 * t + k] = view.getFloat32(HEADER + PER_TRIANGLE * t + 12 + 4 * k, true);
  }
  return [solidOf(name, positions)];
}

/** Reads the solids of an ASCII file. Errors name the line. */
export function readAsciiStl(bytes: Uint8Array, fileName: string): Solid[] {
  const solids: Solid[] = [];
  let name = '';
  let positions: GrowingArray<Float64Array> | undefined;
  let corners = 0;
  let line = 0;
  const finish = (): void => {
    if (!positions || positions.length === 0) refuse(`line ${line}: solid ${name} has no facet, expected at least one`);
    solids.push(solidOf(name, positions.values().slice()));
    positions = undefined;
  };
  for (const text of linesOf(bytes)) {
    line++;
    const [word = '', ...rest] = text.trim().split(/\s+/);
    const keyword = word.toLowerCase();
    if (keyword === '') continue;
    const isOutside = keyword === 'solid';
    if (isOutside === (positions !== undefined)) unexpected(line, text, positions ? 'facet or endsolid' : 'solid');
    switch (keyword) {
      case 'solid':
        name = rest.join(' ') || fileName;
        positions = createGrowingArray('coordinates', Float64Array, 3 * MODEL_LIMITS.vertices);
        break;
      case 'vertex':
        if (corners === 3) unexpected(line, text, 'three corners per facet');
        for (const coordinate of readCorner(rest, line, text)) positions!.push(coordinate);
        corners++;
        break;
      case 'facet':
      case 'outer':
      case 'endloop':
        break;
      case 'endfacet':
        if (corners !== 3) refuse(`line ${line}: the facet has ${corners} corners, expected three`);
        corners = 0;
        break;
      case 'endsolid':
        if (corners > 0) unexpected(line, text, 'endfacet');
        finish();
        break;
      default:
        unexpected(line, text, 'solid, facet, outer loop, vertex, endloop, endfacet or endsolid');
    }
  }
  if (positions) refuse(`line ${line + 1}: unexpected end of file, expected endsolid`);
  if (solids.length === 0) refuse('has no solid, expected at least one');
  return solids;
}

function readCorner(words: string[], line: number, text: string): number[] {
  const numbers = words.map(Number);
  if (numbers.length !== 3 || !numbers.every((x, k) => words[k] !== '' && Number.isFinite(x))) {
    unexpected(line, text, 'three finite numbers: x, y, z');
  }
  return numbers;
}

function unexpected(line: number, text: string, expected: string): never {
  refuse(`line ${line}: unexpected ${JSON.stringify(text.trim().slice(0, 60))}, expected ${expected}`);
}

/** A soup: each triangle has three vertices of its own. */
function solidOf(name: string, positions: Float32Array | Float64Array): Solid {
  const indices = allocate('the triangles', Uint32Array, positions.length / 3);
  for (let i = 0; i < indices.length; i++) indices[i] = i;
  return { name: { own: name, path: () => name }, triangles: { positions, indices } };
}
