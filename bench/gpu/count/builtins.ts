/** What the functions of WGSL cost. */

import type { Cost, Value } from './values.ts';
import { commonType, componentsOf, NONE, scalar, scalarOf, vectorOf, type Type } from './types.ts';

export interface Called extends Cost {
  type: Type;
  isProduct?: boolean;
}

/** Instructions per component; the result has the operands' type. */
const PER_COMPONENT: Readonly<Record<string, number>> = {
  abs: 0,
  min: 1,
  max: 1,
  clamp: 2,
  floor: 1,
  ceil: 1,
  round: 1,
  trunc: 1,
  fract: 2,
  sign: 2,
  mix: 2,
  fma: 1,
  sqrt: 2,
  inverseSqrt: 2,
  exp2: 2,
  log2: 2,
  sin: 2,
  cos: 2,
  // Roughly: a division, a polynomial and the quadrants.
  atan2: 24,
  countLeadingZeros: 1,
  countTrailingZeros: 1,
  countOneBits: 1,
  firstLeadingBit: 1,
  firstTrailingBit: 1,
  reverseBits: 1,
};

/** A square root, or a division: the approximation, and a step or a product. */
const ROOT = 2;

export function builtinCall(name: string, values: readonly Value[]): Called {
  const types = values.map(({ type }) => type);
  const common = types.length > 0 ? types.reduce(commonType) : NONE;
  const size = componentsOf(common);
  const cost = (operations: number, type: Type = common): Called => ({ operations, bytes: 0, type });
  if (name in PER_COMPONENT) return cost(PER_COMPONENT[name] * size);
  switch (name) {
    case 'select': {
      const type = commonType(types[0], types[1]);
      return cost(Math.max(1, componentsOf(type)), type);
    }
    case 'dot':
      return { ...cost(size, scalar(scalarOf(common))), isProduct: scalarOf(common) === 'f32' };
    case 'cross':
      return cost(6);
    case 'length':
      return cost(size === 1 ? 0 : size + ROOT, scalar('f32'));
    case 'distance':
      return cost(size + size + ROOT, scalar('f32'));
    case 'normalize':
      return cost(size + ROOT + size);
    case 'transpose':
      return cost(
        0,
        common.kind === 'matrix' ? { kind: 'matrix', columns: common.rows, rows: common.columns } : common,
      );
    case 'determinant':
      return cost(size === 4 ? 2 : 9, scalar('f32'));
    case 'all':
    case 'any':
      return cost(size - 1, scalar('bool'));
    case 'array':
      return cost(0, { kind: 'array', of: common });
    case 'vec2':
    case 'vec3':
    case 'vec4':
      return cost(0, vectorOf(Number(name[3]), scalarOf(common)));
    case 'workgroupBarrier':
    case 'storageBarrier':
      return cost(1, NONE);
    case 'workgroupUniformLoad':
      return cost(2);
    // Two conversions, and for the integers two products.
    case 'unpack2x16float':
      return cost(2, vectorOf(2, 'f32'));
    case 'unpack2x16snorm':
      return cost(4, vectorOf(2, 'f32'));
  }
  if (name.startsWith('atomic')) {
    const { type, place } = values[0];
    return { operations: 1, bytes: place?.space === 'storage' ? 4 : 0, type: type.kind === 'pointer' ? type.to : type };
  }
  throw new Error(`no cost of ${name} is known`);
}
