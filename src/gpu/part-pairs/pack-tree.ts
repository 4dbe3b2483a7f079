/**
 * Nodes of trees as kernels have them (shaders/part-pairs/node.wgsl): 32 bytes each. A packed box contains the box that it
 * is packed from: its axes are those of a rounded quaternion, and its half extents enclose the box along those axes and
 * are rounded up.
 */
import type { PartTree } from '../../bvh/part-tree.ts';
import { HALF_UNIT } from '../../generated/constants.ts';
import { partLayouts } from '../../generated/part-layouts.ts';

const { size, fields } = partLayouts.PartNode;
export const NODE_WORDS = size / 4;
const CENTRE = fields.centre.offset / 4;
const LINK = fields.link.offset / 4;
const ROTATION = fields.rotation.offset / 4;
const HALF = fields.half.offset / 4;

/** The greatest number that a quaternion's component has. */
const GREATEST = 32767;

/** The least f16 number that is not subnormal. */
const LEAST_HALF_FLOAT = 2 ** -14;

/**
 * Half extents are computed in doubles, and enlarged by more than that loses. What axes lose that are not quite orthonormal
 * is in the half extents of the tree (`SKEW`).
 */
const OUTWARD = 1 + 2 ** -40;

/** x, y, z, w as whole numbers. */
const quaternion = new Int32Array(4);
/** The axes of a packed box as columns. */
const turned = new Float64Array(9);
const half = new Float64Array(3);

/** The unit of a tree: a power of two. In this unit no point of a box is as much as 2 from the origin. */
export function unitOf({ extent }: PartTree): number {
  return extent > 0 ? 2 ** Math.floor(Math.log2(extent)) : 1;
}

/** Packs the nodes from `first` up to `end`. `floats` and `words` are the same memory, whose first node is `first`. */
export function packNodes(
  { boxes, axes, links }: PartTree,
  unit: number,
  first: number,
  end: number,
  floats: Float32Array,
  words: Uint32Array,
): void {
  for (let node = first; node < end; node++) {
    const at = 6 * node;
    const to = NODE_WORDS * (node - first);
    for (let k = 0; k < 3; k++) {
      floats[to + CENTRE + k] = boxes[at + k] / unit;
      half[k] = boxes[at + 3 + k] / unit;
    }
    words[to + LINK] = links[node];
    if (axes && !isAligned(axes, 9 * node)) turnBox(axes, 9 * node);
    else setQuaternion(0, 0, 0, 1);
    words[to + ROTATION] = (quaternion[0] & 0xffff) | (quaternion[1] << 16);
    words[to + ROTATION + 1] = (quaternion[2] & 0xffff) | (quaternion[3] << 16);
    words[to + HALF] = halfFloat(half[0]) | (halfFloat(half[1]) << 16);
    words[to + HALF + 1] = halfFloat(half[2]);
  }
}

function isAligned(axes: Float32Array, at: number): boolean {
  return axes[at] === 1 && axes[at + 4] === 1 && axes[at + 8] === 1;
}

/** Finds the quaternion of a box, and the half extents along its axes. */
function turnBox(axes: Float32Array, at: number): void {
  roundRotation(axes, at);
  findColumns();
  const x = half[0];
  const y = half[1];
  const z = half[2];
  for (let i = 0; i < 3; i++) {
    const reach = x * cosine(axes, at, i) + y * cosine(axes, at + 3, i) + z * cosine(axes, at + 6, i);
    half[i] = reach * OUTWARD;
  }
}

/** The absolute value of an axis times axis i of the packed box. */
function cosine(axes: Float32Array, at: number, i: number): number {
  const column = 3 * i;
  return Math.abs(axes[at] * turned[column] + axes[at + 1] * turned[column + 1] + axes[at + 2] * turned[column + 2]);
}

/** The quaternion of a box's axes. If they are left-handed, the third one is turned around. */
function roundRotation(axes: Float32Array, at: number): void {
  const m00 = axes[at];
  const m10 = axes[at + 1];
  const m20 = axes[at + 2];
  const m01 = axes[at + 3];
  const m11 = axes[at + 4];
  const m21 = axes[at + 5];
  const x = m10 * m21 - m20 * m11;
  const y = m20 * m01 - m00 * m21;
  const z = m00 * m11 - m10 * m01;
  const sign = x * axes[at + 6] + y * axes[at + 7] + z * axes[at + 8] < 0 ? -1 : 1;
  const m02 = sign * axes[at + 6];
  const m12 = sign * axes[at + 7];
  const m22 = sign * axes[at + 8];
  // The products of the greatest component with all (Shepperd, "Quaternion from rotation matrix", 1978).
  const trace = m00 + m11 + m22;
  const greatest = Math.max(trace, m00, m11, m22);
  if (greatest === trace) setQuaternion(m21 - m12, m02 - m20, m10 - m01, 1 + trace);
  else if (greatest === m00) setQuaternion(1 + m00 - m11 - m22, m10 + m01, m02 + m20, m21 - m12);
  else if (greatest === m11) setQuaternion(m10 + m01, 1 - m00 + m11 - m22, m21 + m12, m02 - m20);
  else setQuaternion(m02 + m20, m21 + m12, 1 - m00 - m11 + m22, m10 - m01);
}

/** Rounds a quaternion of any length, so that its greatest component is `GREATEST`. */
function setQuaternion(x: number, y: number, z: number, w: number): void {
  const factor = GREATEST / Math.max(Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w));
  quaternion[0] = Math.round(factor * x);
  quaternion[1] = Math.round(factor * y);
  quaternion[2] = Math.round(factor * z);
  quaternion[3] = Math.round(factor * w);
}

/** Writes the columns of the quaternion's rotation matrix. */
function findColumns(): void {
  const x = quaternion[0];
  const y = quaternion[1];
  const z = quaternion[2];
  const w = quaternion[3];
  const k = 2 / (x * x + y * y + z * z + w * w);
  turned[0] = 1 - k * (y * y + z * z);
  turned[1] = k * (x * y + w * z);
  turned[2] = k * (x * z - w * y);
  turned[3] = k * (x * y - w * z);
  turned[4] = 1 - k * (x * x + z * z);
  turned[5] = k * (y * z + w * x);
  turned[6] = k * (x * z + w * y);
  turned[7] = k * (y * z - w * x);
  turned[8] = 1 - k * (x * x + y * y);
}

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** The bits of the least f16 number of `HALF_UNIT` that is at least x, a number below 4. None is subnormal. */
function halfFloat(x: number): number {
  single[0] = Math.max(x / HALF_UNIT, LEAST_HALF_FLOAT);
  if (single[0] < x / HALF_UNIT) bits[0]++;
  return ((bits[0] + 0x1fff) >>> 13) - ((127 - 15) << 10);
}
