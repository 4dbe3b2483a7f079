/** The contact of a part with the pyramid of a vertex, whose faces are between neighbouring spokes: how far it moves along which normal. */
import { copy, scale, set, vec3, type Vec3 } from '../../cpu/math.ts';
import { createPair, makePair } from '../../cpu/pair.ts';
import { contact } from '../../cpu/queries/contacts.ts';
import { createPairResult } from '../../cpu/queries/result.ts';
import { makePlainHull, type ShapeData } from '../../shapes/shape-data.ts';
import type { PartInMesh } from './part-in-mesh.ts';
import type { Surface } from './surface.ts';
import { LEAST_OPENING, openingAlong } from './vertex-cones.ts';

/** Pyramids of the vertices that contacts came near to; `null` where the cone has no inside. */
const pyramids = new WeakMap<Surface, Map<number, ShapeData | null>>();

/** Pyramids that are kept per mesh: some kilobytes each. */
const MOST_PYRAMIDS = 2 ** 15;

/** Vertices with more spokes have no pyramid. */
const MOST_SPOKES = 250;

/** How many times as large as the part a pyramid is. */
const LARGER = 16;

function pyramidOf(surface: Surface, vertex: number): ShapeData | null {
  let known = pyramids.get(surface);
  if (!known) pyramids.set(surface, (known = new Map<number, ShapeData | null>()));
  let pyramid = known.get(vertex);
  if (pyramid !== undefined) return pyramid;
  if (known.size >= MOST_PYRAMIDS) known.clear();
  known.set(vertex, (pyramid = makePyramid(surface, vertex)));
  return pyramid;
}

function makePyramid({ spokeStarts, spokes }: Surface, vertex: number): ShapeData | null {
  const own = Array.from(spokes.subarray(3 * spokeStarts[vertex], 3 * spokeStarts[vertex + 1]));
  const axis = vec3();
  if (own.length > 3 * MOST_SPOKES || !(openingAlong(own, axis) > LEAST_OPENING)) return null;
  // A point far inside, so that the way through the base is never the shortest.
  set(0, 0, 0, axis);
  for (let i = 0; i < own.length; i += 3) set(axis.x + own[i], axis.y + own[i + 1], axis.z + own[i + 2], axis);
  scale(axis, 1 / Math.hypot(axis.x, axis.y, axis.z), axis);
  return makePlainHull([0, 0, 0, ...own, axis.x, axis.y, axis.z]);
}

const pair = createPair();
const result = createPairResult();
const pose = { scale: 1, quaternion: Float64Array.of(0, 0, 0, 1) };
const offset = vec3();
const BY_SAT = { margin: 0, leadStage: 'sat' } as const;

/** Writes the normal. Returns how far the part moves along it; 0 if it does not meet the pyramid, or if the cone has no inside. */
export function contactWithVertex(surface: Surface, vertex: number, at: Vec3, part: PartInMesh, normal: Vec3): number {
  const pyramid = pyramidOf(surface, vertex);
  if (!pyramid) return 0;
  const { position, reach } = part;
  set(position.x - at.x, position.y - at.y, position.z - at.z, offset);
  pose.scale = LARGER * (reach + Math.hypot(offset.x, offset.y, offset.z));
  makePair(pyramid, pose, part.shape, part, offset, pair);
  contact(pair, pyramid, part.shape, BY_SAT, result);
  if (!result.hit || !(result.distance < 0)) return 0;
  copy(result.normal, normal);
  return -result.distance;
}
