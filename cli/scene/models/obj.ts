/**
 * Wavefront OBJ: vertices and polygons. Each object, and each group of an object, that has faces is a body. An `o` begins
 * another object, even if an earlier one has the same name; a `g` may return to a group of its object. Texture
 * coordinates, normals and materials are not used.
 */

import { allocate } from '../../../src/util/arrays.ts';
import type { BodyName } from './body-names.ts';
import { createGrowingArray, type GrowingArray } from './growing-array.ts';
import { MODEL_LIMITS } from './model.ts';
import type { Notes } from './notes.ts';
import { dividePolygon } from './polygon.ts';
import { refuse, refuseAsTooLarge, within } from './refusal.ts';
import type { Solid } from './solids.ts';
import { linesOf } from './text-lines.ts';
import { createVertexNumbers, withUsedVertices, type VertexNumbers } from './triangles.ts';

/** Statements without meaning here, and those of which a note says that they are left out. */
const UNUSED = new Set([
  'vt',
  'vn',
  'vp',
  'mtllib',
  'usemtl',
  'usemap',
  'maplib',
  's',
  'mg',
  'lod',
  'bevel',
  'shadow_obj',
]);
const LEFT_OUT = new Map([
  ...['p', 'l'].map((word): [string, string] => [word, 'points and lines are left out']),
  ...['curv', 'curv2', 'surf'].map((word): [string, string] => [word, 'free-form curves and surfaces are left out']),
]);

/** Faces of an object or group. */
interface Faces {
  name: BodyName;
  /** Vertex indices from 0, face after face. */
  corners: GrowingArray<Uint32Array>;
  /** Corners of each face. */
  sizes: GrowingArray<Uint32Array>;
}

interface Reader {
  positions: GrowingArray<Float64Array>;
  faces: Faces[];
  /** Those of the present object, by group. */
  groups: Map<string, Faces>;
  object: string;
  group: string;
  /** Whether no face has followed the last `g` yet. */
  isDeclared: boolean;
  /** The greatest vertex index and the line that it is in. */
  greatest: { index: number; line: number };
}

/** Reads the bodies of a file. `name` is that of the file, for faces outside of objects and groups. */
export function readObj(bytes: Uint8Array, name: string, notes: Notes): Solid[] {
  const reader: Reader = {
    positions: createGrowingArray('coordinates', Float64Array, 3 * MODEL_LIMITS.vertices),
    faces: [],
    groups: new Map(),
    object: '',
    group: '',
    isDeclared: false,
    greatest: { index: -1, line: 0 },
  };
  for (const { text, line } of statementsOf(bytes))
    within(`line ${line}`, () => readStatement(reader, text, line, name, notes));
  const { positions, faces, greatest } = reader;
  const count = positions.length / 3;
  if (greatest.index >= count) {
    refuse(`line ${greatest.line}: a face has vertex ${greatest.index + 1}, expected one of ${count} vertices`);
  }
  if (faces.length === 0) refuse('has no face, expected at least one');
  const numbersOf = createVertexNumbers();
  return faces.map((each) => within(`mesh ${each.name.own}`, () => solidOf(each, positions.values(), numbersOf)));
}

/** Most characters of a statement that goes on over several lines. */
const LONGEST_STATEMENT = 2 ** 24;

/**
 * Statements with the numbers of their first lines. A backslash at the end of a line continues it on the next, except in
 * comments, which may end with a path.
 */
function* statementsOf(bytes: Uint8Array): Generator<{ text: string; line: number }> {
  let text = '';
  let first = 0;
  let line = 0;
  for (const each of linesOf(bytes)) {
    line++;
    if (text === '') first = line;
    if (text.length > LONGEST_STATEMENT) {
      refuseAsTooLarge(
        `line ${first}: a statement has more than ${LONGEST_STATEMENT} characters, expected at most that`,
      );
    }
    if (each.endsWith('\\') && !/^\s*#/.test(text + each)) {
      text += `${each.slice(0, -1)} `;
      continue;
    }
    yield { text: text + each, line: first };
    text = '';
  }
  if (text !== '') yield { text, line: first };
}

function readStatement(reader: Reader, text: string, line: number, fileName: string, notes: Notes): void {
  const [keyword, ...words] = text.trim().split(/\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  const values = comment < 0 ? words : words.slice(0, comment);
  switch (keyword) {
    case 'v':
      for (const coordinate of readVertex(values)) reader.positions.push(coordinate);
      break;
    case 'f':
    case 'fo':
      addFace(reader, values, line, fileName, notes);
      break;
    case 'o':
      // A group ends with its object.
      reader.object = words.join(' ');
      reader.group = '';
      reader.groups = new Map();
      reader.isDeclared = false;
      break;
    case 'g':
      reader.group = words.join(' ');
      reader.isDeclared = true;
      break;
    default:
      if (keyword === '' || keyword.startsWith('#') || UNUSED.has(keyword)) break;
      notes.add(LEFT_OUT.get(keyword) ?? 'statements that are not known are left out', `line ${line}`);
  }
}

/** x, y, z. A weight or a colour may follow. */
function readVertex(words: string[]): number[] {
  const numbers = words.map(Number);
  const isValid = numbers.length >= 3 && words.length <= 7 && numbers.every(Number.isFinite);
  if (!isValid) refuse(`the vertex is ${shown(words)}, expected three finite numbers: x, y, z`);
  return numbers.slice(0, 3);
}

function addFace(reader: Reader, words: string[], line: number, fileName: string, notes: Notes): void {
  if (words.length < 3) refuse(`the face is ${shown(words)}, expected at least three vertices`);
  const { corners, sizes } = facesOf(reader, fileName, notes);
  const count = reader.positions.length / 3;
  for (const word of words) {
    const index = readIndex(word, count);
    if (index > reader.greatest.index) reader.greatest = { index, line };
    corners.push(index);
  }
  sizes.push(words.length);
}

/** The vertex of `1`, `1/2`, `1//3` or `1/2/3`, counted from 0. A negative one counts back from the last vertex. */
function readIndex(word: string, count: number): number {
  const number = Number(/^[+-]?\d+(?=$|\/)/.exec(word)?.[0]);
  if (!Number.isSafeInteger(number)) refuse(`a face has vertex ${shown([word])}, expected a whole number`);
  if (number === 0) refuse('a face has vertex 0, expected one counted from 1, or back from -1');
  if (number < -count) refuse(`a face has vertex ${number}, but only ${count} vertices are before it`);
  // Vertices may follow the faces that have them, so an index above the count is judged at the end of the file.
  if (number > MODEL_LIMITS.vertices) refuse(`a face has vertex ${number}, expected at most ${MODEL_LIMITS.vertices}`);
  return number < 0 ? count + number : number - 1;
}

/** The faces of the present group. */
function facesOf(reader: Reader, fileName: string, notes: Notes): Faces {
  const { faces, groups, object, group, isDeclared } = reader;
  reader.isDeclared = false;
  const known = groups.get(group);
  if (known) {
    if (isDeclared) notes.add('groups that are declared again are one body', known.name.path());
    return known;
  }
  const path = [object, group].filter((name) => name !== '');
  const made: Faces = {
    name: { own: path.at(-1) ?? fileName, path: () => path.join('/') || fileName },
    corners: createGrowingArray('corners of faces', Uint32Array, 2 * MODEL_LIMITS.triangles),
    sizes: createGrowingArray('faces', Uint32Array, MODEL_LIMITS.triangles),
  };
  groups.set(group, made);
  faces.push(made);
  return made;
}

function solidOf({ name, corners, sizes }: Faces, positions: Float64Array, numbersOf: VertexNumbers): Solid {
  const polygons = corners.values();
  const indices = allocate('the triangles', Uint32Array, 3 * (corners.length - 2 * sizes.length));
  let at = 0;
  let first = 0;
  for (const size of sizes.values()) {
    dividePolygon(positions, polygons.subarray(first, first + size), (a, b, c) => {
      indices[at++] = a;
      indices[at++] = b;
      indices[at++] = c;
    });
    first += size;
  }
  return { name, triangles: withUsedVertices({ positions, indices }, numbersOf) };
}

function shown(words: string[]): string {
  return JSON.stringify(words.join(' ').slice(0, 60));
}
