/** constants.ts: the f32 and u32 constants of the kernels' modules, which TypeScript shares. */

/**
 * Values by name. A name that several modules declare is left out: either the modules replace each other and have
 * different values, or the names are equal by chance.
 *
 * @param {ReadonlyMap<string, string>} texts texts of all modules by path; a module's imports come before it
 * @returns {Record<string, number>}
 */
export function evaluateConstants(texts) {
  const declared = [...texts].flatMap(([path, text]) =>
    Array.from(text.matchAll(/^const (\w+): (f32|u32) = ([^;]+);/gm), ([, name, type, value]) => ({
      path,
      name,
      type,
      value,
    })),
  );
  const values = {};
  for (const { path, name, type, value } of declared) {
    if (declared.some((other) => other.name === name && other.path !== path)) continue;
    const expression = value.replaceAll(/\b(0x[\da-f]+|\d+)u\b/g, '$1');
    // The expression may use constants before it. Integer division truncates, as in WGSL.
    const number = Number(new Function(...Object.keys(values), `return (${expression})`)(...Object.values(values)));
    if (Number.isNaN(number)) throw new Error(`${path}.wgsl: ${name} is no number: ${value}`);
    values[name] = type === 'u32' ? Math.trunc(number) >>> 0 : number;
  }
  return values;
}

/** @param {Readonly<Record<string, number>>} constants */
export function constantsModule(constants) {
  return Object.entries(constants)
    .map(([name, value]) => `export const ${name} = ${value};\n`)
    .join('');
}
