/** Declarations of WGSL: structs, aliases, variables, functions. */

import { readValue } from './expressions.ts';
import { readerOf, type Reader } from './tokens.ts';
import { NONE, readType, type NamedTypes, type Type } from './types.ts';
import type { Scope, Variable } from './values.ts';

/** Where the entry point's parameters and its body begin, and the names of its builtin parameters. */
export interface EntryPoint {
  parametersAt: number;
  bodyAt: number;
  builtins: Map<string, string>;
}

/** A function that is still to be read. */
export interface Body {
  position: number;
  parameters: Map<string, Variable>;
}

export interface Module {
  reader: Reader;
  named: NamedTypes;
  /** What functions return. */
  functions: Map<string, Type>;
  globals: Map<string, Variable>;
  bodies: Body[];
  main: EntryPoint;
  workgroupSize: number;
}

/** Everything but the bodies of functions. */
export function readModule(code: string): Module {
  const reader = readerOf(code);
  const named: NamedTypes = new Map();
  const functions = new Map<string, Type>();
  const globals = new Map<string, Variable>();
  const bodies: Body[] = [];
  const main: EntryPoint = { parametersAt: 0, bodyAt: 0, builtins: new Map() };
  let workgroupSize = 1;
  declareStructs(reader, named);
  const global: Scope = { reader, named, functions, find: (name) => globals.get(name), spend: () => undefined };
  while (reader.peek().text !== '') readGlobal();
  return { reader, named, functions, globals, bodies, main, workgroupSize };

  function readGlobal(): void {
    const { text } = reader.next();
    if (text === '@') {
      if (reader.next().text === 'workgroup_size') workgroupSize = Number(reader.peek(1).text);
      if (reader.peek().text === '(') skipTo(reader, ')');
    } else if (text === 'struct') {
      skipTo(reader, '}');
    } else if (text === 'alias' || text === 'const_assert' || text === 'enable' || text === 'diagnostic') {
      skipTo(reader, ';');
    } else if (text === 'fn') {
      readFunction();
    } else if (text === 'const' || text === 'override' || text === 'var') {
      const space = text === 'var' ? readSpace(reader) : 'registers';
      const [name, variable] = readDeclaration(global, space, text !== 'var');
      globals.set(name, variable);
    } else if (text !== ';') {
      throw new Error(`unknown declaration ${text}`);
    }
  }

  function readFunction(): void {
    const name = reader.next().text;
    const isMain = name === 'main';
    const parameters = new Map<string, Variable>();
    const open = reader.expect('(');
    if (isMain) main.parametersAt = open.at + 1;
    while (!reader.take(')')) {
      let builtin: string | undefined;
      if (reader.take('@')) {
        reader.next();
        reader.expect('(');
        builtin = reader.next().text;
        reader.expect(')');
      }
      const parameter = reader.next().text;
      reader.expect(':');
      parameters.set(parameter, { type: readType(reader, named), space: 'registers', isConstant: false });
      if (builtin && isMain) main.builtins.set(builtin, parameter);
      if (reader.peek().text !== ')') reader.expect(',');
    }
    functions.set(name, reader.take('->') ? readType(reader, named) : NONE);
    bodies.push({ position: reader.position, parameters });
    if (isMain) main.bodyAt = reader.peek().at + 1;
    skipTo(reader, '}');
  }
}

function declareStructs(reader: Reader, named: NamedTypes): void {
  const waiting: (() => void)[] = [];
  for (; reader.peek().text !== ''; reader.next()) {
    const { text } = reader.peek();
    if (text === 'alias') {
      const [name, position] = [reader.peek(1).text, reader.position + 3];
      waiting.push(() => {
        reader.position = position;
        named.set(name, readType(reader, named));
      });
    } else if (text === 'struct') {
      const name = reader.peek(1).text;
      const members = new Map<string, Type>();
      named.set(name, { kind: 'struct', name, members });
      const position = reader.position + 3;
      waiting.push(() => {
        reader.position = position;
        while (!reader.take('}')) {
          const member = reader.next().text;
          reader.expect(':');
          members.set(member, readType(reader, named));
          reader.take(',');
        }
      });
    }
  }
  // Aliases before the structs that have them as members.
  for (const declare of waiting) declare();
  reader.position = 0;
}

/** The space in `var<...>`, which is `registers` without one. */
export function readSpace(reader: Reader): Variable['space'] {
  if (!reader.take('<')) return 'registers';
  const space = reader.next().text;
  while (!reader.take('>')) reader.next();
  return space === 'storage' || space === 'workgroup' || space === 'uniform' ? space : 'registers';
}

export function readDeclaration(scope: Scope, space: Variable['space'], isFixed: boolean): [string, Variable] {
  const { reader } = scope;
  const name = reader.next().text;
  const declared = reader.take(':') ? readType(reader, scope.named) : undefined;
  const value = reader.take('=') ? readValue(scope) : undefined;
  const type = declared ?? value!.type;
  return [name, { type, space, isConstant: isFixed && (value?.isConstant ?? true) }];
}

/** Skips to behind the bracket that closes, or the semicolon. */
function skipTo(reader: Reader, end: string): void {
  let depth = 0;
  for (;;) {
    const { text } = reader.next();
    if (text === '') throw new Error(`no ${end}`);
    if ('([{'.includes(text)) depth++;
    if (')]}'.includes(text)) depth--;
    if (text === end && depth <= 0) return;
  }
}
