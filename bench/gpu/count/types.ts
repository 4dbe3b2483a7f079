/** The types of WGSL that the kernels use. */

import type { Reader } from './tokens.ts';

/** `int` and `float` are literals, which take the type of the other operand. */
export type ScalarName = 'f32' | 'u32' | 'i32' | 'bool' | 'int' | 'float' | 'none';

export type Type =
  | { kind: 'scalar'; of: ScalarName }
  | { kind: 'vector'; size: number; of: ScalarName }
  | { kind: 'matrix'; columns: number; rows: number }
  | { kind: 'array'; of: Type }
  | { kind: 'pointer'; to: Type }
  | { kind: 'struct'; name: string; members: Map<string, Type> };

export const scalar = (of: ScalarName): Type => ({ kind: 'scalar', of });
export const vectorOf = (size: number, of: ScalarName): Type =>
  size === 1 ? scalar(of) : { kind: 'vector', size, of };
export const NONE = scalar('none');

const SUFFIXES: Record<string, ScalarName> = { f: 'f32', u: 'u32', i: 'i32' };

/** Structs and aliases. */
export type NamedTypes = Map<string, Type>;

/** Types that no module declares: `f32`, `vec3f`, `mat3x3f`. */
export function builtinType(name: string): Type | undefined {
  if (name === 'f32' || name === 'u32' || name === 'i32' || name === 'bool') return scalar(name);
  const vector = /^vec([234])([fui])$/.exec(name);
  if (vector) return vectorOf(Number(vector[1]), SUFFIXES[vector[2]]);
  const matrix = /^mat([234])x([234])f$/.exec(name);
  return matrix ? { kind: 'matrix', columns: Number(matrix[1]), rows: Number(matrix[2]) } : undefined;
}

export function readType(reader: Reader, named: NamedTypes): Type {
  const name = reader.next().text;
  const known = builtinType(name) ?? named.get(name);
  if (known) return known;
  reader.expect('<');
  let type: Type;
  if (name === 'array') {
    type = { kind: 'array', of: readType(reader, named) };
    // How many there are makes no difference.
    if (reader.take(',')) while (reader.peek().text !== '>' && reader.peek().text !== '>>') reader.next();
  } else if (name === 'atomic') {
    type = readType(reader, named);
  } else if (/^vec[234]$/.test(name)) {
    type = vectorOf(Number(name[3]), scalarOf(readType(reader, named)));
  } else if (name === 'ptr') {
    reader.next();
    reader.expect(',');
    type = { kind: 'pointer', to: readType(reader, named) };
  } else {
    throw new Error(`unknown type ${name}`);
  }
  reader.expect('>');
  return type;
}

/** Components; 1 of a scalar. */
export function componentsOf(type: Type): number {
  if (type.kind === 'vector') return type.size;
  return type.kind === 'matrix' ? type.columns * type.rows : 1;
}

/** Words of 32 bits. Arrays as a whole stand in registers and count as none. */
export function wordsOf(type: Type): number {
  if (type.kind !== 'struct') return type.kind === 'array' || type.kind === 'pointer' ? 0 : componentsOf(type);
  return [...type.members.values()].reduce((sum, member) => sum + wordsOf(member), 0);
}

export function scalarOf(type: Type): ScalarName {
  if (type.kind === 'matrix') return 'f32';
  return type.kind === 'scalar' || type.kind === 'vector' ? type.of : 'none';
}

export function isFloat(type: Type): boolean {
  const of = scalarOf(type);
  return of === 'f32' || of === 'float';
}

const isLiteral = (type: Type): boolean => ['int', 'float'].includes(scalarOf(type));

/** The type of a sum or a selection of two operands: of the larger one, and of the one that is no literal. */
export function commonType(a: Type, b: Type): Type {
  const wide = componentsOf(b) > componentsOf(a) ? b : a;
  const other = wide === a ? b : a;
  if (!isLiteral(wide) || isLiteral(other)) return wide;
  return vectorOf(componentsOf(wide), scalarOf(other));
}

export function memberType(type: Type, member: string): Type {
  if (type.kind === 'struct') {
    const found = type.members.get(member);
    if (found) return found;
  } else if (type.kind === 'vector') {
    return vectorOf(member.length, type.of);
  }
  throw new Error(`no member ${member} of ${type.kind === 'struct' ? type.name : type.kind}`);
}

export function elementType(type: Type): Type {
  if (type.kind === 'array') return type.of;
  if (type.kind === 'matrix') return vectorOf(type.rows, 'f32');
  if (type.kind === 'vector') return scalar(type.of);
  throw new Error(`${type.kind} has no elements`);
}
