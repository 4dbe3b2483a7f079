/**
 * Instructions and bytes of an expression.
 *
 * An add, multiply, fused multiply-add, comparison, selection, minimum, conversion, bit operation, load or store of up
 * to 16 bytes is one instruction on one lane; a division, a square root and its inverse are two (the approximation, and
 * a step or a product). A change of sign and an absolute value are none. A sum with a product as a term is a fused
 * multiply-add. So dot is 3, cross 6, length 5, normalise 8, a 3x3 matrix times a vector 9. An access of an array by an
 * index that is not constant has its load or store and one instruction for its address. Scalars, vectors and arrays
 * with constant indices are in registers, and uniforms are operands. What consists of constants alone costs nothing.
 */

import { builtinCall } from './builtins.ts';
import {
  builtinType,
  componentsOf,
  elementType,
  memberType,
  NONE,
  readType,
  scalar,
  scalarOf,
  type Type,
} from './types.ts';
import { accessCost, binary, type Scope, type Value } from './values.ts';

/** Operators that bind least first. */
const LEVELS = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** An expression whose value is used: what stands in memory is loaded. */
export function readValue(scope: Scope): Value {
  return readLevel(scope, 0);
}

function readLevel(scope: Scope, level: number): Value {
  if (level === LEVELS.length) return loaded(scope, readUnary(scope));
  let left = readLevel(scope, level + 1);
  while (LEVELS[level].includes(scope.reader.peek().text)) {
    const operator = scope.reader.next().text;
    left = binary(scope, operator, left, readLevel(scope, level + 1));
  }
  return left;
}

function readUnary(scope: Scope): Value {
  const { reader } = scope;
  const operator = reader.peek().text;
  if (operator === '-' || operator === '!' || operator === '~') {
    reader.next();
    const { place: _, ...value } = loaded(scope, readUnary(scope));
    return value;
  }
  if (operator === '&') {
    reader.next();
    const of = readUnary(scope);
    return { ...of, type: { kind: 'pointer', to: of.type } };
  }
  if (operator === '*') {
    reader.next();
    return pointee(readUnary(scope));
  }
  return readPlace(scope);
}

function pointee(value: Value): Value {
  if (value.type.kind !== 'pointer') return value;
  return { type: value.type.to, isConstant: false, place: value.place ?? { space: 'registers', isIndexed: false } };
}

/** What an assignment may write to, or any operand. */
export function readPlace(scope: Scope): Value {
  const { reader } = scope;
  let value = readPrimary(scope);
  for (;;) {
    if (reader.take('.')) {
      value = pointee(value);
      value = { ...value, type: memberType(value.type, reader.next().text), isProduct: false };
    } else if (reader.take('[')) {
      value = pointee(value);
      const index = readValue(scope);
      reader.expect(']');
      if (!index.isConstant) scope.spend({ operations: 1 });
      const isIndexed = value.place?.isIndexed || (!index.isConstant && value.type.kind === 'array');
      value = {
        type: elementType(value.type),
        isConstant: value.isConstant && index.isConstant,
        place: value.place && { space: value.place.space, isIndexed },
      };
    } else {
      return value;
    }
  }
}

function loaded(scope: Scope, value: Value): Value {
  if (value.type.kind === 'pointer' || !value.place) return value;
  scope.spend(accessCost(value));
  return { type: value.type, isConstant: value.isConstant };
}

function readPrimary(scope: Scope): Value {
  const { reader, named, functions } = scope;
  const token = reader.next();
  if (token.text === '(') {
    const inner = reader.peek().text === '*' ? readUnary(scope) : readValue(scope);
    reader.expect(')');
    return inner;
  }
  if (token.kind === 'number') return { type: literalType(token.text), isConstant: true };
  if (token.text === 'true' || token.text === 'false') return { type: scalar('bool'), isConstant: true };
  if (token.kind !== 'name') throw new Error(`unexpected ${JSON.stringify(token.text)}`);
  const variable = scope.find(token.text);
  if (variable) {
    const { type, space, isConstant } = variable;
    return { type, isConstant, place: { space, isIndexed: false } };
  }
  if (token.text === 'bitcast') {
    reader.expect('<');
    const type = readType(reader, named);
    reader.expect('>');
    return { type, isConstant: readArguments(scope).every((argument) => argument.isConstant) };
  }
  const result = functions.get(token.text);
  if (result) {
    readArguments(scope);
    return { type: result, isConstant: false };
  }
  const isTyped = builtinType(token.text) ?? named.get(token.text) ?? (reader.peek().text === '<' ? NONE : undefined);
  if (isTyped) {
    reader.position--;
    return construct(scope, readType(reader, named));
  }
  const values = readArguments(scope);
  const isConstant = values.length > 0 && values.every((value) => value.isConstant);
  const called = builtinCall(token.text, values);
  if (!isConstant) scope.spend(called);
  return { type: called.type, isConstant, isProduct: called.isProduct };
}

/** Constructors put values side by side; only conversions take instructions. */
function construct(scope: Scope, type: Type): Value {
  const values = readArguments(scope);
  const isConstant = values.every((value) => value.isConstant);
  const [only] = values;
  const isConversion = values.length === 1 && scalarOf(type) !== 'none' && scalarOf(only.type) !== scalarOf(type);
  if (isConversion && !isConstant) scope.spend({ operations: componentsOf(only.type) });
  return { type, isConstant };
}

function readArguments(scope: Scope): Value[] {
  const { reader } = scope;
  const values: Value[] = [];
  reader.expect('(');
  while (!reader.take(')')) {
    values.push(readValue(scope));
    if (reader.peek().text !== ')') reader.expect(',');
  }
  return values;
}

function literalType(text: string): Type {
  if (/^0[xX].*[pP]/.test(text)) return scalar('f32');
  if (/^0[xX]/.test(text)) return scalar(text.endsWith('u') ? 'u32' : 'int');
  if (text.endsWith('u')) return scalar('u32');
  if (text.endsWith('i')) return scalar('i32');
  if (text.endsWith('f')) return scalar('f32');
  return scalar(/[.eE]/.test(text) ? 'float' : 'int');
}
