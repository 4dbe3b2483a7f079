/** Where the bodies of pairs are, as kernels have it (shaders/part-pairs/placement.wgsl). */
import { BOX_ROOM, NO_TRIANGLES } from '../../generated/constants.ts';
import { partLayouts } from '../../generated/part-layouts.ts';
import type { PartPairsRequest, PlacedPair } from '../../request/part-pairs.ts';
import { allocate } from '../../util/arrays.ts';
import { unitOf } from './pack-tree.ts';
import type { Shelves } from './sources.ts';

const { size, fields } = partLayouts.PartPlacement;
const WORDS = size / 4;
const wordOf = (field: keyof typeof fields): number => fields[field].offset / 4;
const COLUMN_X = wordOf('columnX');
const COLUMN_Y = wordOf('columnY');
const COLUMN_Z = wordOf('columnZ');
const TRANSLATION = wordOf('translation');
const SCALE = wordOf('scale');
const BOX_MARGIN = wordOf('boxMargin');
const TRIANGLE_MARGIN = wordOf('triangleMargin');
const PLACEMENT_ERROR = wordOf('placementError');
const NODES_A = wordOf('nodesA');
const NODES_B = wordOf('nodesB');
const TRIANGLES_A = wordOf('trianglesA');
const TRIANGLES_B = wordOf('trianglesB');

/** Of a placed corner: 8 units of the rounding of f32, where 7 are lost, and what doubles lose. */
const CORNER_ROUNDING = 2 ** -21;

/** Results that are stored as f32 are rounded up by this share. */
const OUTWARD = 1 + 2 ** -22;

/** Kernels do not lose what is this much smaller than what it is added to. */
const MOST_RATIO = 2 ** 30;

/** B's unit in A's, and the sum of the distance of the bodies and the extents of both trees. */
interface Lengths {
  scale: number;
  sum: number;
  ofB: number;
}

const lengths: Lengths = { scale: 1, sum: 0, ofB: 0 };

function measure({ a, b, placement: { translation, scaleA, scaleB } }: PlacedPair): Lengths {
  const unit = scaleA * unitOf(a.tree);
  const [x, y, z] = translation;
  lengths.scale = (scaleB * unitOf(b.tree)) / unit;
  const distance = Math.abs(x) + Math.abs(y) + Math.abs(z);
  lengths.ofB = (scaleB * b.tree.extent + distance) / unit;
  lengths.sum = lengths.ofB + a.tree.extent / unitOf(a.tree);
  return lengths;
}

/** Whether f32 has room for the lengths of a pair. */
function isPlaceable({ scale, sum }: Lengths, margin: number): boolean {
  return scale > 1 / MOST_RATIO && scale < MOST_RATIO && sum < MOST_RATIO && margin < MOST_RATIO;
}

/** Packs the pairs from `first` up to `end`; undefined if one has lengths that differ too much. */
export function packPlacements(
  { pairAt, margin, triangleMargin }: PartPairsRequest,
  { nodes, triangles }: Shelves,
  first: number,
  end: number,
): Uint32Array<ArrayBuffer> | undefined {
  const words = allocate('places of pairs', Uint32Array, WORDS * (end - first)) as Uint32Array<ArrayBuffer>;
  const floats = new Float32Array(words.buffer);
  for (let index = first; index < end; index++) {
    const pair = pairAt(index);
    const { a, b, placement } = pair;
    const { rotation, translation, scaleA } = placement;
    const at = WORDS * (index - first);
    const unit = scaleA * unitOf(a.tree);
    const { scale, sum, ofB } = measure(pair);
    if (!isPlaceable(lengths, margin / unit)) return undefined;
    for (let k = 0; k < 3; k++) {
      floats[at + COLUMN_X + k] = rotation[k];
      floats[at + COLUMN_Y + k] = rotation[3 + k];
      floats[at + COLUMN_Z + k] = rotation[6 + k];
      floats[at + TRANSLATION + k] = translation[k] / unit;
    }
    floats[at + SCALE] = scale;
    floats[at + BOX_MARGIN] = ((margin / unit) * (1 + BOX_ROOM) + BOX_ROOM * sum) * OUTWARD;
    floats[at + TRIANGLE_MARGIN] = ((triangleMargin ? triangleMargin(index) : margin) / unit) * OUTWARD;
    floats[at + PLACEMENT_ERROR] = CORNER_ROUNDING * ofB * OUTWARD;
    words[at + NODES_A] = nodes.firsts.get(a.tree)!;
    words[at + NODES_B] = nodes.firsts.get(b.tree)!;
    words[at + TRIANGLES_A] = a.mesh ? triangles.firsts.get(a.mesh)! : NO_TRIANGLES;
    words[at + TRIANGLES_B] = b.mesh ? triangles.firsts.get(b.mesh)! : NO_TRIANGLES;
  }
  return words;
}
