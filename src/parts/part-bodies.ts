/**
 * Parts in 3-D as bodies of their own. A triangle has the pose of its mesh. A part of a compound has a pose of its own, which is
 * computed in double precision. Positions are 64-bit numbers then, so that the parts of a body far from the origin stay where they are
 * relative to each other.
 */
import type { PosedBodies } from '../api/bodies.ts';
import type { BodyMotion } from '../records/bodies.ts';
import { triangleShape } from '../shapes/mesh-triangle.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { allocate } from '../util/arrays.ts';
import { hullOfPart, isRotating } from '../cpu/parts/part-impacts.ts';
import { createPartNumbers, motionOfParts, type PartBodyList } from './part-body-list.ts';
import { createBodyPlace, createPartPlace, placeBody, placePart } from '../cpu/parts/part-place.ts';

export function createPartBodyList(
  given: PosedBodies,
  table: readonly (ShapeData | undefined)[],
  motion: BodyMotion | undefined,
): PartBodyList {
  const bodyOf: number[] = [];
  const partOf: number[] = [];
  const shapes = createShapeList();
  const shapeIds: number[] = [];
  /** Whether a part has a place of its own. */
  let hasPlaces = false;

  return {
    numberOf: createPartNumbers((body, part) => {
      const shape = table[given.shapes[body]]!;
      const { parts: compound } = shape;
      if (compound?.type !== 'compound') {
        shapeIds.push(shapes.idOf(shape, part));
      } else if (motion && isRotating(motion, body)) {
        // A hull in the compound's frame has the pose of the compound.
        shapeIds.push(shapes.idOf(hullOfPart(compound, part), 0));
      } else {
        hasPlaces = true;
        shapeIds.push(shapes.idOf(compound.shapes[part], 0));
      }
      partOf.push(part);
      bodyOf.push(body);
    }),
    finish() {
      const { bodies, offsets } = placeParts(given, table, motion, bodyOf, partOf, hasPlaces);
      return {
        bodies: { ...bodies, shapes: Uint32Array.from(shapeIds) },
        motion: motion && motionOfParts(motion, bodyOf, [3, 3]),
        shapes: shapes.list,
        offsets,
      };
    },
  };
}

/** The shapes of a request, each once. `part` is that of a mesh. */
function createShapeList() {
  const list: ShapeData[] = [];
  const ids = new Map<ShapeData, number>();
  const triangles = new Map<ShapeData, Map<number, number>>();
  return {
    list,
    idOf(shape: ShapeData, part: number): number {
      const { parts } = shape;
      if (parts?.type === 'mesh') {
        let known = triangles.get(shape);
        if (!known) triangles.set(shape, (known = new Map<number, number>()));
        const id = known.get(part) ?? list.push(triangleShape(parts, part)) - 1;
        known.set(part, id);
        return id;
      }
      const id = ids.get(shape) ?? list.push(shape) - 1;
      ids.set(shape, id);
      return id;
    },
  };
}

const body = createBodyPlace();
const place = createPartPlace();

function placeParts(
  given: PosedBodies,
  table: readonly (ShapeData | undefined)[],
  motion: BodyMotion | undefined,
  bodyOf: readonly number[],
  partOf: readonly number[],
  hasPlaces: boolean,
) {
  const count = bodyOf.length;
  const is64Bit = hasPlaces || given.positions instanceof Float64Array;
  const Positions = is64Bit ? Float64Array : Float32Array;
  const positions = allocate<Float32Array | Float64Array>('positions of parts', Positions, 3 * count);
  const quaternions = allocate('quaternions of parts', Float32Array, 4 * count);
  const scales = allocate('scales of parts', Float32Array, count);
  const offsets = hasPlaces ? allocate('offsets of parts', Float64Array, 3 * count) : undefined;
  for (let i = 0; i < count; i++) {
    const from = bodyOf[i];
    for (let k = 0; k < 3; k++) positions[3 * i + k] = given.positions[3 * from + k];
    const isCompound = table[given.shapes[from]]!.parts?.type === 'compound';
    if (!isCompound || (motion && isRotating(motion, from))) {
      for (let k = 0; k < 4; k++) quaternions[4 * i + k] = given.quaternions[4 * from + k];
      scales[i] = given.scales ? given.scales[from] : 1;
      continue;
    }
    placeBody(given, table, from, body);
    placePart(body, partOf[i], true, place);
    const { x, y, z } = place.offset;
    [x, y, z].forEach((component, k) => {
      offsets![3 * i + k] = component;
      positions[3 * i + k] += component;
    });
    quaternions.set(place.quaternion, 4 * i);
    scales[i] = place.scale;
  }
  return { bodies: { positions, quaternions, scales }, offsets };
}
