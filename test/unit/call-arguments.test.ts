/** Arguments of calls: only undefined leaves an option out, fields may be inherited, and a query keeps its arguments. */
import { describe, expect, test } from 'vitest';
import { boxTesters, pairs, rays, refusalOf, twoBodies, twoPlanarBodies } from '../helpers/two-bodies.ts';

const { tester, plane } = await boxTesters();
const bodies = twoBodies();
const planarBodies = twoPlanarBodies();

describe.each([null, 0, false, ''])('%j is not taken for undefined', (value) => {
  test.each([
    ['warmStart', 'options.warmStart'],
    ['bounds', 'options.bounds'],
    ['margin', 'options.margin'],
    ['target', 'options.target'],
    ['signal', 'options.signal'],
    ['escalate', 'options.escalate'],
  ])('as %s', async (name, field) => {
    // These values are valid.
    if ((name === 'margin' && value === 0) || (['bounds', 'escalate'].includes(name) && value === false)) {
      await tester.contacts(bodies, pairs, { [name]: value } as never);
      return;
    }
    const message = await refusalOf(() => tester.contacts(bodies, pairs, { [name]: value } as never));
    expect(message.startsWith(field)).toBe(true);
  });
});

test('a rounding radius of null is refused', async () => {
  expect(
    await refusalOf(() => tester.addShape({ type: 'box', halfExtents: [1, 1, 1], radius: null } as never)),
  ).toMatch(/^description\.radius is null, expected /);
});

test('fields may be inherited or getters, and inherited ones need not be known', async () => {
  class World {
    get shapes() {
      return bodies.shapes;
    }
    get positions() {
      return bodies.positions;
    }
    get quaternions() {
      return bodies.quaternions;
    }
    get clock() {
      return 0;
    }
  }
  expect((await tester.contacts(new World(), pairs)).count).toBe(1);
});

describe('a query keeps the arguments of its call', () => {
  test('when bodies get other arrays', async () => {
    const own = twoBodies(1.5);
    const contacts = tester.contacts(own, pairs);
    const impacts = tester.impacts(own, pairs, { duration: 1 });
    own.positions = bodies.positions;
    own.shapes = Uint32Array.of(7, 7);
    own.linearVelocities = new Float32Array(0);
    expect((await contacts).distance[0]).toBeCloseTo(-0.5, 6);
    expect((await impacts).time[0]).toBe(0);
  });

  test('when 2-D bodies get other arrays', async () => {
    const own = twoPlanarBodies(1.5);
    const contacts = plane.contacts(own, pairs);
    own.positions = planarBodies.positions;
    own.shapes = Uint32Array.of(7, 7);
    expect((await contacts).distance[0]).toBeCloseTo(-0.5, 6);
  });

  test('when rays get other arrays', async () => {
    const own = { ...rays };
    const hits = tester.rayCasts(bodies, own);
    own.directions = Float32Array.of(-1, 0, 0);
    own.origins = new Float32Array(0);
    expect((await hits).time[0]).toBeCloseTo(4, 6);
  });

  test('when options get other values', async () => {
    const options = { margin: 5, bounds: true, bodies: true };
    const contacts = tester.contacts(bodies, pairs, options);
    Object.assign(options, { margin: -1, bounds: false, bodies: false, target: {} });
    const { distance, lower, a } = await contacts;
    expect(distance[0]).toBeCloseTo(1, 6);
    expect(lower).toHaveLength(1);
    expect(a).toHaveLength(1);
  });
});
