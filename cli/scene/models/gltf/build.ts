/** Makes the shapes and bodies of planned ones, from decoded accessors. */

import type { ConvexDescription, PartDescription } from '../../../../src/api/shapes.ts';
import { SCENE_LIMITS } from '../../scene.ts';
import type { Model, ModelBody, ModelOptions } from '../model.ts';
import type { Notes } from '../notes.ts';
import { refuse, refuseAsTooLarge, within } from '../refusal.ts';
import { createShapeList, type NewShape, type ShapeList } from '../shape-list.ts';
import {
  bakeKey,
  compose,
  IDENTITY,
  isZero,
  matrixOf,
  ORIGIN,
  placed,
  placementOf,
  relativeTo,
  type Placement,
  type Transform,
} from '../transform.ts';
import {
  centredShape,
  createVertexNumbers,
  joined,
  transformed,
  type Triangles,
  type VertexNumbers,
} from '../triangles.ts';
import type { DecodedAccessors } from './decode.ts';
import { jointMatrices } from './deform.ts';
import type { Gltf } from './document.ts';
import { placedShape } from './implicit-shapes.ts';
import { instanceTransforms } from './instances.ts';
import { buildMesh } from './meshes.ts';
import type { Geometry, MeshGeometry, PlannedBody, PlannedPart, PlannedPiece } from './plan.ts';

interface Building {
  gltf: Gltf;
  decoded: DecodedAccessors;
  options: ModelOptions;
  notes: Notes;
  worldOf: (node: number) => Transform | undefined;
  list: ShapeList;
  /** Triangles by the key of their geometry, in its frame; undefined if it has none. */
  triangles: Map<string, Triangles | undefined>;
  numbersOf: VertexNumbers;
}

/** `worldOf`: where a node is in the scene, undefined if it is not in it. */
export function buildModel(
  planned: readonly PlannedBody[],
  gltf: Gltf,
  decoded: DecodedAccessors,
  worldOf: (node: number) => Transform | undefined,
  options: ModelOptions,
  notes: Notes,
): Model {
  const list = createShapeList();
  const numbersOf = createVertexNumbers();
  const building: Building = { gltf, decoded, options, notes, worldOf, list, triangles: new Map(), numbersOf };
  const bodies: ModelBody[] = [];
  for (const body of planned) {
    within(body.label, () => {
      const { count = 1 } = body.instances ?? {};
      if (bodies.length + count > SCENE_LIMITS.bodies) {
        refuseAsTooLarge(`makes ${bodies.length + count} bodies, expected at most ${SCENE_LIMITS.bodies}`);
      }
      for (const made of buildBody(building, body)) bodies.push(made);
    });
  }
  return { shapes: list.shapes, bodies };
}

function buildBody(building: Building, body: PlannedBody): ModelBody[] {
  const { notes } = building;
  const isThere = (part: PlannedPart): boolean => {
    if (isZero(part.transform)) notes.add('nodes with a scale of 0 are left out', part.label);
    return !isZero(part.transform) && hasShape(building, part.geometry);
  };
  const parts = body.parts.filter(isThere);
  if (parts.length === 0) return [];
  const { name } = body;
  if (parts.length > 1) return [{ name, ...compoundBody(building, body, parts) }];
  const [{ geometry, transform }] = parts;
  if (!body.instances) return [{ name, ...simpleBody(building, geometry, transform, body.label) }];
  return instanceTransforms(body.instances, building.decoded).flatMap((instance, i) => {
    const world = compose(transform, instance);
    if (isZero(world)) {
      notes.add('instances with a scale of 0 are left out', body.label);
      return [];
    }
    const own = name.own && `${name.own}[${i}]`;
    return [
      { name: { own, path: () => `${name.path()}[${i}]` }, ...simpleBody(building, geometry, world, body.label) },
    ];
  });
}

type PlacedBody = Omit<ModelBody, 'name'>;

/** A body with the geometry as its shape. */
function simpleBody(building: Building, geometry: Geometry, transform: Transform, label: string): PlacedBody {
  const { key, placement, make } = shapeAt(building, geometry, placementOf(transform), label);
  const { index, origin } = building.list.add(key, ownerOf(geometry, label), make);
  return { shape: index, position: placed(placement, origin), rotation: placement.rotation, scale: placement.scale };
}

/** Errors of meshes name them already. */
function ownerOf(geometry: Geometry, label: string): string {
  return 'pieces' in geometry && geometry.pieces.length === 1 ? geometry.pieces[0].mesh.label : label;
}

interface PlacedGeometry {
  key: string;
  placement: Placement;
  make: () => NewShape;
}

function shapeAt(building: Building, geometry: Geometry, placement: Placement, label: string): PlacedGeometry {
  if ('shape' in geometry) {
    const {
      key,
      description,
      placement: unbaked,
    } = placedShape(building.gltf, geometry.shape, placement, label, building.notes);
    return { key, placement: unbaked, make: () => ({ description }) };
  }
  const isHull = geometry.isHull || building.options.hulls;
  const { bake } = placement;
  return {
    key: `${geometry.key} ${isHull ? 'hull' : ''} ${bakeKey(bake)}`,
    placement,
    make: () => {
      const triangles = trianglesOf(building, geometry)!;
      return centredShape(bake ? transformed(triangles, bake, ORIGIN) : triangles, isHull);
    },
  };
}

/** One body of several colliders. Meshes are put together to one, convex shapes become the parts of a compound. */
function compoundBody(building: Building, { frame, label }: PlannedBody, parts: PlannedPart[]): PlacedBody {
  const { bake, ...placement } = placementOf(frame);
  // Transforms to the body's node are equal in equal bodies. With a bake, parts have to be placed in the scene.
  const root: Placement = bake ? { ...placement, scale: 1 } : placement;
  const relative = (part: PlannedPart): Transform => (bake ? relativeTo(root, part.transform) : part.local);
  const isMesh = ({ geometry }: PlannedPart): boolean =>
    'pieces' in geometry && !geometry.isHull && !building.options.hulls;
  if (parts.every(isMesh)) {
    const { position: translation, rotation, scale } = root;
    return simpleBody(building, together(parts, relative), { translation, linear: { rotation, scale } }, label);
  }
  if (parts.some(isMesh)) {
    refuse(
      'has colliders that are meshes beside convex ones, expected convexHull for all meshes or the option --hulls',
    );
  }
  const made = parts.map((part) => within(part.label, () => compoundPart(building, part, relative(part))));
  const { index } = building.list.add(JSON.stringify(made.map(({ key }) => key)), label, () => ({
    description: { type: 'compound', parts: made.map(({ part }) => part) },
  }));
  return { shape: index, ...root };
}

/** One mesh of several. */
function together(parts: PlannedPart[], relative: (part: PlannedPart) => Transform): MeshGeometry {
  const keys = parts.map((part) => [(part.geometry as MeshGeometry).key, relative(part)]);
  const pieces = parts.flatMap((part) =>
    (part.geometry as MeshGeometry).pieces.map((piece) => ({
      ...piece,
      transform: compose(relative(part), piece.transform),
    })),
  );
  return { key: JSON.stringify(keys), pieces, isHull: false };
}

function compoundPart(
  building: Building,
  { geometry, label }: PlannedPart,
  transform: Transform,
): { key: string; part: PartDescription } {
  const { key, placement, make } = shapeAt(building, geometry, placementOf(transform), label);
  const { description, origin = ORIGIN } = make();
  const pose = {
    position: placed(placement, origin).map(Math.fround),
    quaternion: placement.rotation.map(Math.fround),
    scale: Math.fround(placement.scale),
  };
  return { key: JSON.stringify([key, pose]), part: { shape: description as ConvexDescription, ...pose } };
}

function hasShape(building: Building, geometry: Geometry): boolean {
  return 'shape' in geometry || trianglesOf(building, geometry) !== undefined;
}

/** The triangles of a geometry in its own frame. */
function trianglesOf(building: Building, { key, pieces }: MeshGeometry): Triangles | undefined {
  const { triangles } = building;
  if (!triangles.has(key)) {
    const parts = pieces.map((piece) => pieceTriangles(building, piece)).filter((part) => part !== undefined);
    triangles.set(key, parts.length === 0 ? undefined : joined(parts));
  }
  return triangles.get(key);
}

function pieceTriangles(
  { decoded, worldOf, numbersOf }: Building,
  { mesh, skin, transform }: PlannedPiece,
): Triangles | undefined {
  const built = buildMesh(mesh, decoded, numbersOf, skin && jointMatrices(skin, decoded, worldOf));
  if (!built || transform === IDENTITY) return built;
  return transformed(built, matrixOf(transform), transform.translation);
}
