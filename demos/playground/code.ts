/** The program that asks what the page asks. */

import { isMoving, type PlaygroundScene } from './scene.ts';

/** TypeScript that runs as it is, in a browser or, with `narrowphase/node`, in Node. */
export function codeOf(scene: PlaygroundScene, backend: 'cpu' | 'webgpu'): string {
  const { dimension, bodies, algorithm, margin, duration } = scene;
  const both = (field: 'position' | 'rotation' | 'linear' | 'angular'): string =>
    `Float32Array.of(${bodies.map((body) => body[field].join(', ')).join(', ')})`;
  const named = algorithm === 'auto' ? [] : [`algorithm: '${algorithm}'`];
  const settings = [`backend: '${backend}'`, ...(dimension === 2 ? ['dimension: 2'] : [])];
  const moves = isMoving(scene);
  return [
    `import { createTester } from 'narrowphase';`,
    '',
    `const tester = await createTester({ ${settings.join(', ')} });`,
    `const a = tester.addShape(${literal(bodies[0].shape)});`,
    `const b = tester.addShape(${literal(bodies[1].shape)});`,
    'const bodies = {',
    '  shapes: Uint32Array.of(a, b),',
    `  positions: ${both('position')},`,
    `  ${dimension === 2 ? 'angles' : 'quaternions'}: ${both('rotation')},`,
    ...(moves ? [`  linearVelocities: ${both('linear')},`, `  angularVelocities: ${both('angular')},`] : []),
    '};',
    'const pairs = Uint32Array.of(0, 1);',
    '',
    `const [contact] = await tester.contacts(bodies, pairs${options('margin: Infinity', ...named)});`,
    `const manifolds = [...(await tester.manifolds(bodies, pairs${options(...(margin > 0 ? [`margin: ${margin}`] : []), ...named)}))];`,
    ...(moves
      ? [
          `const [impact] = await tester.impacts(bodies, pairs${options(`duration: ${duration}`, ...impactAlgorithm(scene))});`,
        ]
      : []),
    `console.log(contact, manifolds${moves ? ', impact' : ''});`,
    'tester.dispose();',
    '',
  ].join('\n');
}

/** The options as a last argument, if there are any. */
function options(...all: string[]): string {
  return all.length > 0 ? `, { ${all.join(', ')} }` : '';
}

/** `impacts` has an algorithm by GJK alone. */
function impactAlgorithm({ algorithm }: PlaygroundScene): string[] {
  return algorithm === 'gjk' ? [`algorithm: 'cast'`] : [];
}

/** A value as TypeScript: names without quotes, lists on one line. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return `[${Array.from(value as ArrayLike<unknown>, literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => `${name}: ${literal(field)}`)
      .join(', ')} }`;
  return String(value);
}
