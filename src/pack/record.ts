/** Layout of a record as `generated/layouts.ts` has it. */
export interface RecordLayout {
  readonly size: number;
  readonly fields: Record<string, { readonly offset: number; readonly type: 'f32' | 'u32' | 'i32'; readonly length: number }>;
}

/** One record of scalars, little-endian. */
export function packRecord<Layout extends RecordLayout>(
  layout: Layout,
  values: { [Field in keyof Layout['fields']]: number },
): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(layout.size));
  for (const [name, { offset, type }] of Object.entries(layout.fields)) {
    if (type === 'f32') view.setFloat32(offset, values[name], true);
    else view.setUint32(offset, values[name], true);
  }
  return view.buffer as ArrayBuffer;
}
