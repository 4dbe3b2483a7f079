/** Values of expressions, where they stand, and what it takes to load and to combine them. */

import type { Reader } from './tokens.ts';
import { commonType, componentsOf, isFloat, vectorOf, wordsOf, type NamedTypes, type Type } from './types.ts';

export interface Cost {
  operations: number;
  /** Loaded from storage buffers and stored there. */
  bytes: number;
}

/** `registers`: of a function or an invocation. */
export type Space = 'registers' | 'uniform' | 'storage' | 'workgroup';

export interface Variable {
  type: Type;
  space: Space;
  isConstant: boolean;
}

export interface Value {
  type: Type;
  isConstant: boolean;
  /** A product, which a sum takes up for free. */
  isProduct?: boolean;
  /** Where it stands; undefined: it was computed. */
  place?: { space: Space; isIndexed: boolean };
}

export interface Scope {
  reader: Reader;
  named: NamedTypes;
  functions: ReadonlyMap<string, Type>;
  find(name: string): Variable | undefined;
  /** Where costs are added up. */
  spend(cost: Partial<Cost>): void;
}

/** Instructions and bytes of loading or storing a place once. */
export function accessCost({ type, place }: Value): Cost {
  if (!place || place.space === 'uniform' || (place.space === 'registers' && !place.isIndexed))
    return { operations: 0, bytes: 0 };
  const words = wordsOf(type);
  return { operations: Math.ceil(words / 4), bytes: place.space === 'storage' ? 4 * words : 0 };
}

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=']);
const LOGIC = new Set(['&&', '||']);

/** The value of `left operator right`, both loaded. */
export function binary(scope: Scope, operator: string, left: Value, right: Value): Value {
  const isConstant = left.isConstant && right.isConstant;
  const spend = (operations: number): void => {
    if (!isConstant) scope.spend({ operations });
  };
  const common = commonType(left.type, right.type);
  const size = componentsOf(common);
  if (LOGIC.has(operator) || COMPARISONS.has(operator)) {
    spend(size);
    return { type: vectorOf(size, 'bool'), isConstant };
  }
  const matrix = [left.type, right.type].find(({ kind }) => kind === 'matrix');
  if (operator === '*' && matrix?.kind === 'matrix') {
    const type = productType(left.type, right.type);
    const isScaled = [left.type, right.type].some(({ kind }) => kind === 'scalar');
    const isChain = left.type.kind === 'matrix' && right.type.kind === 'matrix';
    spend(isChain ? componentsOf(left.type) * (componentsOf(right.type) / matrix.columns) : componentsOf(matrix));
    return { type, isConstant, isProduct: !isScaled || isFloat(type) };
  }
  if (operator === '*') {
    spend(size);
    return { type: common, isConstant, isProduct: isFloat(common) };
  }
  if (operator === '/' || operator === '%') spend(2 * size);
  else if ((operator === '+' || operator === '-') && (left.isProduct || right.isProduct)) spend(0);
  else spend(size);
  return { type: operator === '<<' || operator === '>>' ? left.type : common, isConstant };
}

function productType(left: Type, right: Type): Type {
  if (left.kind === 'matrix' && right.kind === 'matrix')
    return { kind: 'matrix', columns: right.columns, rows: left.rows };
  if (left.kind === 'matrix') return right.kind === 'vector' ? vectorOf(left.rows, 'f32') : left;
  return right.kind === 'matrix' && left.kind === 'vector' ? vectorOf(right.columns, 'f32') : right;
}
