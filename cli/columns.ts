/** Structures of arrays that come in parts. */

type Column = Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array;

/**
 * Joins parts that have the same columns, all of them arrays. The columns are removed from the parts one after the
 * other, so that little more memory is needed than the result takes.
 */
export function joinColumns<Columns extends { [Name in keyof Columns]: Column }>(parts: Columns[]): Columns {
  const names = Object.keys(parts[0]) as (keyof Columns)[];
  const joined: Partial<Columns> = {};
  for (const name of names) {
    const columns = parts.map((part) => part[name]);
    const length = columns.reduce((sum, column) => sum + column.length, 0);
    const whole = new (columns[0].constructor as Float64ArrayConstructor)(length);
    let at = 0;
    for (const column of columns) {
      whole.set(column, at);
      at += column.length;
    }
    for (const part of parts) delete (part as Partial<Columns>)[name];
    joined[name] = whole as unknown as Columns[keyof Columns];
  }
  return joined as Columns;
}
