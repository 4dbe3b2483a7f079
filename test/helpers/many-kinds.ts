/** Pairs of shapes of many kinds, in 3-D. */
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { putRandomPair, emptyFamily, shapeCores } from '../../verification/families/family.ts';
import {
  randomBox,
  randomCapsule,
  randomCloud,
  randomSphere,
  randomTriangle,
} from '../../verification/families/random-shapes.ts';
import { below, createRandom } from '../../verification/families/random.ts';

const SEED = 20_261_202;
/** More than a block of the sort, and no multiple of anything. */
export const PAIRS = 9_001;
const SHAPES_PER_TYPE = 8;

export const random = createRandom(SEED);
const makers: ((index: number) => ShapeDescription)[] = [
  () => randomSphere(random),
  () => randomCapsule(random),
  (index) => randomBox(random, index),
  () => randomTriangle(random, 1),
  () => randomCloud(random, 1),
];
export const shapes = makers.flatMap((make) => Array.from({ length: SHAPES_PER_TYPE }, (_, index) => make(index)));
export const family = emptyFamily('mixed', shapes, PAIRS);
const cores = shapeCores(shapes);
for (let i = 0; i < PAIRS; i++)
  putRandomPair(random, family, cores, i, [below(random, shapes.length), below(random, shapes.length)]);
export const { bodies, pairs } = family;

export const table = createShapeTable();
for (const shape of shapes) addShape(table, shape, dimension3);
export const kindOf = (body: number): number => table.shapes[bodies.shapes[body]]!.kind;
