/**
 * A kernel's WGSL cut into segments: statements that run one after the other without a branch between them. The cost of
 * a segment times the number of its runs, over all segments, is what an invocation takes.
 */

import { readDeclaration, readModule, readSpace, type Body, type EntryPoint } from './declarations.ts';
import { readPlace, readValue } from './expressions.ts';
import { scalar } from './types.ts';
import { accessCost, binary, type Cost, type Scope, type Value, type Variable } from './values.ts';

export interface Segment extends Cost {
  /** Where it begins in the text. */
  at: number;
}

export interface Kernel {
  segments: Segment[];
  main: EntryPoint;
  workgroupSize: number;
}

/** Ways out of a statement to somewhere other than the next one. */
interface Jumps {
  returns: boolean;
  breaks: boolean;
  continues: boolean;
}

const NO_JUMPS: Jumps = { returns: false, breaks: false, continues: false };

/** Throws where it meets WGSL that it does not know: such a kernel would have no count. */
export function segmentsOf(code: string): Kernel {
  const { reader, named, functions, globals, bodies, main, workgroupSize } = readModule(code);
  const segments = bodies.flatMap(readBody);
  return { segments, main, workgroupSize };

  function readBody({ position, parameters }: Body): Segment[] {
    reader.position = position;
    const found: Segment[] = [];
    let current: Segment = { at: 0, operations: 0, bytes: 0 };
    const names = [globals, parameters];
    const begin = (at: number): void => void found.push((current = { at, operations: 0, bytes: 0 }));
    const scope: Scope = {
      reader,
      named,
      functions,
      find(name) {
        for (let level = names.length - 1; level >= 0; level--)
          if (names[level].has(name)) return names[level].get(name);
        return undefined;
      },
      spend({ operations = 0, bytes = 0 }) {
        current.operations += operations;
        current.bytes += bytes;
      },
    };
    readBlock();
    return found.filter(({ operations, bytes }) => operations + bytes > 0);

    /** `before`: what every run of the block takes besides. */
    function readBlock(before: () => void = () => undefined): Jumps {
      const outer = current;
      begin(reader.expect('{').at + 1);
      before();
      names.push(new Map());
      let jumps = NO_JUMPS;
      while (!reader.take('}')) {
        const own = readStatement();
        jumps = either(jumps, own);
        // What follows may run less often than what came before.
        const { text, at } = reader.peek();
        if ((own.returns || own.breaks || own.continues) && text !== '}' && text !== 'continuing') begin(at);
      }
      names.pop();
      current = outer;
      return jumps;
    }

    function declare([name, variable]: [string, Variable]): void {
      names.at(-1)!.set(name, variable);
    }

    function readStatement(): Jumps {
      const { text } = reader.peek();
      if (text === '{') return readBlock();
      if (reader.take('continuing')) return readBlock();
      if (text === 'if' || text === 'while' || text === 'switch' || text === 'for' || text === 'loop') {
        reader.next();
        return readBranch(text);
      }
      readSimple();
      reader.expect(';');
      return { returns: text === 'return', breaks: text === 'break', continues: text === 'continue' };
    }

    function readBranch(text: 'if' | 'while' | 'switch' | 'for' | 'loop'): Jumps {
      if (text === 'if') {
        readValue(scope);
        const jumps = readBlock();
        if (!reader.take('else')) return jumps;
        return either(jumps, reader.take('if') ? readBranch('if') : readBlock());
      }
      if (text === 'switch') {
        readValue(scope);
        scope.spend({ operations: 1 });
        reader.expect('{');
        let jumps = NO_JUMPS;
        while (!reader.take('}')) {
          while (reader.peek().text !== '{') reader.next();
          jumps = either(jumps, readBlock());
        }
        return { ...jumps, breaks: false };
      }
      names.push(new Map());
      let update: Cost | undefined;
      if (text === 'for') {
        reader.expect('(');
        if (reader.peek().text !== ';') readSimple();
        reader.expect(';');
      }
      const condition = costOf(() => (reader.peek().text === ';' || text === 'loop' ? undefined : readValue(scope)));
      if (text === 'for') {
        reader.expect(';');
        update = costOf(() => (reader.peek().text === ')' ? undefined : readSimple()));
        reader.expect(')');
      }
      const { returns } = readBlock(() => {
        scope.spend(condition);
        if (update) scope.spend(update);
      });
      names.pop();
      return { ...NO_JUMPS, returns };
    }

    /** Reads something that is not part of the segment so far. */
    function costOf(read: () => unknown): Cost {
      const outer = current;
      const apart = (current = { at: 0, operations: 0, bytes: 0 });
      read();
      current = outer;
      return apart;
    }

    function readSimple(): void {
      const { text } = reader.peek();
      if (text === 'let' || text === 'const' || text === 'var') {
        reader.next();
        if (text === 'var') readSpace(reader);
        declare(readDeclaration(scope, 'registers', text !== 'var'));
      } else if (text === 'return') {
        reader.next();
        if (reader.peek().text !== ';') readValue(scope);
      } else if (text === 'break' || text === 'continue' || text === 'discard') {
        reader.next();
      } else if (text === '_') {
        reader.next();
        reader.expect('=');
        readValue(scope);
      } else {
        readAssignment();
      }
    }

    function readAssignment(): void {
      const isPointee = reader.take('*');
      const target = readPlace(scope);
      const operator = reader.peek().text;
      // A call.
      if (operator === ';' || operator === ')') return;
      reader.next();
      const to: Value = isPointee && target.type.kind === 'pointer' ? { ...target, type: target.type.to } : target;
      scope.spend(accessCost(to));
      if (operator === '=') {
        readValue(scope);
        return;
      }
      scope.spend(accessCost(to));
      const other =
        operator === '++' || operator === '--' ? { type: scalar('int'), isConstant: true } : readValue(scope);
      binary(
        scope,
        operator.slice(0, operator === '<<=' || operator === '>>=' ? 2 : 1),
        { ...to, isConstant: false },
        other,
      );
    }
  }
}

function either(a: Jumps, b: Jumps): Jumps {
  return { returns: a.returns || b.returns, breaks: a.breaks || b.breaks, continues: a.continues || b.continues };
}
