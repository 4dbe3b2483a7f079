/** Layout of a record, as in `generated/layouts.ts`. */
export interface RecordLayout {
  readonly size: number;
  readonly fields: Record<
    string,
    { readonly offset: number; readonly type: 'f32' | 'u32' | 'i32'; readonly length: number }
  >;
}

/** Packs one record of numbers and arrays of numbers, little-endian. */
export function packRecord<Layout extends RecordLayout>(
  layout: Layout,
  values: { [Field in keyof Layout['fields']]: number | ArrayLike<number> },
): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(layout.size));
  for (const [name, { offset, type }] of Object.entries(layout.fields)) {
    const value = values[name];
    const list = typeof value === 'number' ? [value] : value;
    for (let i = 0; i < list.length; i++) {
      if (type === 'f32') view.setFloat32(offset + 4 * i, list[i], true);
      else view.setUint32(offset + 4 * i, list[i], true);
    }
  }
  return view.buffer as ArrayBuffer;
}
