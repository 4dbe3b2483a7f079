/**
 * Scene files: JSON with the shapes, bodies and pairs of one collision query.
 *
 *     { "version": 1, "name": "two crates",
 *       "shapes": [{ "id": "crate", "type": "box", "halfExtents": [0.5, 0.5, 0.5] }],
 *       "bodies": [{ "shape": "crate", "position": [0, 0, 0], "name": "left" },
 *                  { "shape": 0, "position": [0.9, 0, 0], "quaternion": [0, 0, 0, 1], "scale": 1 }],
 *       "pairs": "all", "margin": 0, "allowed": [["left", "r*"]] }
 *
 * `shape` is an index into `shapes` or an id. `pairs` is a list of `[a, b]`, `"all"` or `"broad-phase"`. `allowed`
 * names the pairs of bodies that may overlap (`allowed.ts`). Bodies may also be lists: `{ "shapes": [...], "positions":
 * [3n], "quaternions": [4n], "scales": [n] }`. Everything is checked; every error names its path within the file.
 */

import { invalidInput, NarrowphaseError } from '../../src/api/errors.ts';
import { GREATEST_POSITION, MIN_QUATERNION_LENGTH_SQUARED } from '../../src/generated/constants.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';
import { type Names, namesOf } from '../../src/util/known.ts';
import { parseAllowed } from './allowed.ts';
import type { PatternPair } from './allowed.ts';
import {
  checkIndex,
  checkList,
  checkName,
  checkNumbers,
  checkObject,
  checkPositive,
  checkPresent,
  checkSize,
} from '../../src/util/json-fields.ts';
import { parseJson } from './json.ts';
import { parseShape } from './scene-shapes.ts';

/** Limits of a scene. V8 can't hold a larger file in one string. */
export const SCENE_LIMITS = { fileBytes: 256 * 2 ** 20, shapes: 65_536, bodies: 1_000_000, pairs: 50_000_000 } as const;

/** Poses and shape indices of n bodies. Positions keep the file's precision. */
export interface SceneBodies {
  /** Index into the scene's shapes, n numbers. */
  shapes: Uint32Array;
  positions: Float64Array;
  quaternions: Float32Array;
  scales: Float32Array;
}

export interface Scene {
  name: string;
  shapes: ShapeDescription[];
  /** The same shapes, validated and with their derived data. */
  shapeData: ShapeData[];
  bodies: SceneBodies;
  /** Name of each body that has one. */
  bodyNames: Map<number, string>;
  /** Flat list of body indices, 2m numbers, or the rule that generates the pairs. */
  pairs: Uint32Array | 'all' | 'broad-phase';
  margin?: number;
  /** Names or patterns of bodies that may overlap. */
  allowed: PatternPair[];
}

const SCENE_FIELDS: Names = new Set(['version', 'name', 'shapes', 'bodies', 'pairs', 'margin', 'allowed']);
/** Fields of a body in a list of bodies. The other set has the fields of lists that describe all bodies. */
const BODY_FIELDS: Names = new Set(['shape', 'position', 'quaternion', 'scale', 'name']);
const BODIES_FIELDS = namesOf<SceneBodies>({ shapes: true, positions: true, quaternions: true, scales: true });

/** Checks a scene's text; throws `INVALID_INPUT` or `LIMIT_EXCEEDED` naming the path within the JSON. */
export function parseScene(text: string, defaultName = 'scene'): Scene {
  return sceneOfJson(parseJson(text), defaultName);
}

/** The same for a scene's JSON after parsing. */
export function sceneOfJson(content: unknown, defaultName: string): Scene {
  if (isGltf(content)) refuseGltf();
  const root = checkObject(content, '', SCENE_FIELDS);
  checkPresent(root.version, 'version', '1');
  if (root.version !== 1) invalidInput('version', root.version, '1');
  const name = root.name === undefined ? defaultName : checkName(root.name, 'name');

  const ids = new Map<string, number>();
  const shapes = checkList(root.shapes, 'shapes', 'a list of shapes', SCENE_LIMITS.shapes).map((value, i) => {
    const shape = parseShape(value, `shapes[${i}]`);
    if (shape.id !== undefined) {
      if (ids.has(shape.id))
        invalidInput(`shapes[${i}].id`, shape.id, `an id that shapes[${ids.get(shape.id)}] does not have`);
      ids.set(shape.id, i);
    }
    return shape;
  });
  const shapeIndex = (value: unknown, path: string): number => {
    if (typeof value !== 'string') return checkIndex(value, path, shapes.length, 'shape');
    return ids.get(value) ?? invalidInput(path, value, 'the index or the id of a shape');
  };

  const bodyNames = new Map<number, string>();
  checkPresent(root.bodies, 'bodies', 'a list of bodies, or an object of lists');
  const bodies = Array.isArray(root.bodies)
    ? listOfBodies(root.bodies, shapeIndex, bodyNames)
    : listsOfBodies(root.bodies, shapeIndex);
  const pairs = parsePairs(root.pairs, bodies.shapes.length);
  const margin = root.margin === undefined ? undefined : checkSize(root.margin, 'margin');
  return {
    name,
    shapes: shapes.map(({ description }) => description),
    shapeData: shapes.map(({ data }) => data),
    bodies,
    bodyNames,
    pairs,
    margin,
    allowed: root.allowed === undefined ? [] : parseAllowed(root.allowed, bodyNames),
  };
}

function refuseGltf(): never {
  const expected = 'JSON with version, shapes, bodies and pairs';
  throw new NarrowphaseError('INVALID_INPUT', `the scene is a glTF file, expected ${expected}`);
}

/** Whether the JSON is a glTF file: every one has `asset.version`, which scenes have not. */
export function isGltf(content: unknown): boolean {
  const { asset } = (content ?? {}) as { asset?: { version?: unknown } | null };
  return typeof asset?.version === 'string';
}

type ShapeIndex = (value: unknown, path: string) => number;

function listOfBodies(value: unknown[], shapeIndex: ShapeIndex, names: Map<number, string>): SceneBodies {
  const list = checkList(value, 'bodies', 'a list of bodies', SCENE_LIMITS.bodies);
  const bodies = emptyBodies(list.length);
  list.forEach((item, i) => {
    const path = `bodies[${i}]`;
    const body = checkObject(item, path, BODY_FIELDS);
    checkPresent(body.shape, `${path}.shape`, 'the index or the id of a shape');
    bodies.shapes[i] = shapeIndex(body.shape, `${path}.shape`);
    const position = bodies.positions.subarray(3 * i, 3 * i + 3);
    checkNumbers(body.position, `${path}.position`, 'three numbers: x, y, z', position);
    checkPosition(position, `${path}.position`);
    if (body.quaternion !== undefined) {
      const quaternion = bodies.quaternions.subarray(4 * i, 4 * i + 4);
      checkNumbers(body.quaternion, `${path}.quaternion`, 'four numbers: x, y, z, w', quaternion);
      checkQuaternion(quaternion, `${path}.quaternion`);
    }
    if (body.scale !== undefined) bodies.scales[i] = checkPositive(body.scale, `${path}.scale`);
    if (body.name !== undefined) names.set(i, checkName(body.name, `${path}.name`));
  });
  return bodies;
}

function listsOfBodies(value: unknown, shapeIndex: ShapeIndex): SceneBodies {
  const lists = checkObject(value, 'bodies', BODIES_FIELDS);
  const shapes = checkList(lists.shapes, 'bodies.shapes', 'a list of shape indices or ids', SCENE_LIMITS.bodies);
  const n = shapes.length;
  const bodies = emptyBodies(n);
  shapes.forEach((shape, i) => (bodies.shapes[i] = shapeIndex(shape, `bodies.shapes[${i}]`)));
  checkNumbers(lists.positions, 'bodies.positions', `${3 * n} numbers: x, y, z of each body`, bodies.positions);
  checkPosition(bodies.positions, 'bodies.positions');
  checkNumbers(
    lists.quaternions,
    'bodies.quaternions',
    `${4 * n} numbers: x, y, z, w of each body`,
    bodies.quaternions,
  );
  for (let i = 0; i < n; i++)
    checkQuaternion(bodies.quaternions.subarray(4 * i, 4 * i + 4), `bodies.quaternions[${4 * i}..${4 * i + 3}]`);
  if (lists.scales !== undefined) {
    checkNumbers(lists.scales, 'bodies.scales', `${n} numbers: the scale factor of each body`, bodies.scales);
    bodies.scales.forEach((scale, i) => scale > 0 || checkPositive(scale, `bodies.scales[${i}]`));
  }
  return bodies;
}

/** Bodies at the origin, unrotated, of scale 1. */
export function emptyBodies(n: number): SceneBodies {
  const quaternions = new Float32Array(4 * n);
  for (let i = 3; i < quaternions.length; i += 4) quaternions[i] = 1;
  return {
    shapes: new Uint32Array(n),
    positions: new Float64Array(3 * n),
    quaternions,
    scales: new Float32Array(n).fill(1),
  };
}

/** Throws for a body that is farther out than testers accept. */
function checkPosition(coordinates: Float64Array, path: string): void {
  const far = coordinates.findIndex((x) => Math.abs(x) > GREATEST_POSITION);
  if (far >= 0)
    invalidInput(`${path}[${far}]`, coordinates[far], `a number of at most ${GREATEST_POSITION} either way`);
}

function checkQuaternion(quaternion: Float32Array, path: string): void {
  const [x, y, z, w] = quaternion;
  if (x * x + y * y + z * z + w * w >= MIN_QUATERNION_LENGTH_SQUARED) return;
  invalidInput(path, [x, y, z, w], `a quaternion of length ${Math.sqrt(MIN_QUATERNION_LENGTH_SQUARED)} or more`);
}

function parsePairs(value: unknown, bodyCount: number): Scene['pairs'] {
  const expected = 'a list of pairs of body indices, "all" or "broad-phase"';
  if (value === 'all' || value === 'broad-phase') return value;
  const list = checkList(value, 'pairs', expected, SCENE_LIMITS.pairs);
  const pairs = new Uint32Array(2 * list.length);
  list.forEach((pair, i) => {
    if (!Array.isArray(pair) || pair.length !== 2) invalidInput(`pairs[${i}]`, pair, 'two body indices');
    pairs[2 * i] = checkIndex(pair[0], `pairs[${i}][0]`, bodyCount, 'body');
    pairs[2 * i + 1] = checkIndex(pair[1], `pairs[${i}][1]`, bodyCount, 'body');
    if (pair[0] === pair[1]) invalidInput(`pairs[${i}]`, pair, 'two different bodies');
  });
  return pairs;
}
