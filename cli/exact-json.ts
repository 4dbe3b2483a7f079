/**
 * JSON that preserves numbers exactly: -0 keeps its sign, and numbers that JSON lacks become strings. Typed arrays
 * become lists. Undefined fields are left out.
 */
export function exactJson(value: unknown): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return `"${value}"`;
    return Object.is(value, -0) ? '-0' : String(value);
  }
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    return `[${Array.from(value as ArrayLike<unknown>, exactJson).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return `{ ${fields.map(([name, field]) => `${JSON.stringify(name)}: ${exactJson(field)}`).join(', ')} }`;
  }
  return JSON.stringify(value);
}
