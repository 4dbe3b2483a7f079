/**
 * The same crowd on the CPU backend, for fewer people. Its functions have the names of the kernels in wgsl/, and its queries
 * are calls of the tester.
 */

import { NO_SLOT } from 'narrowphase';
import type { PlanarTester } from 'narrowphase';
import type { Crowd, StageTimes, Totals } from './crowd.ts';
import { TOTALS } from './crowd.ts';
import { ENTRY, ENTRY_WORDS, OPEN, OPEN_ONCE, makeEntries } from './entries.ts';
import { NOWHERE, OBSTACLE, PERSON, RULES, groups } from './rules.ts';
import { avoidance, otherZone, shortened, wayTo, wrapped } from './steering.ts';
import type { Vector } from './steering.ts';
import { THROWN, parkingPlace } from './world.ts';
import type { World } from './world.ts';

const { STEP } = RULES;

export function createCpuCrowd(tester: PlanarTester, world: World): Crowd {
  const { people, bodies, leaves, grid, scene, shapeOf } = world;
  const ids = world.shapes.map((shape) => tester.addShape(shape));
  const movers = people + leaves;
  const shared = {
    shapes: shapeOf.map((shape) => ids[shape]),
    positions: new Float32Array(2 * bodies),
    angles: new Float32Array(bodies),
    linearVelocities: new Float32Array(2 * bodies),
    angularVelocities: new Float32Array(bodies),
    fixed: new Uint8Array(bodies).fill(1, movers),
  };
  const near = { ...shared, groups: new Uint32Array(bodies) };
  const walls = { ...shared, groups: new Uint32Array(bodies) };
  const { positions, angles, linearVelocities, angularVelocities } = shared;
  const velocities = new Float32Array(2 * people);
  const origins = new Float32Array(2 * people);
  const forces = new Float64Array(2 * people);
  const pushes = new Float64Array(2 * people);
  const destinations = new Uint32Array(people);
  const totals = Object.fromEntries(TOTALS.map((name) => [name, 0])) as unknown as Totals;
  let entries = makeEntries(world);
  let leafTargets = new Float32Array(2 * leaves);
  let field = new Float32Array();
  let times: StageTimes = {};

  async function step(): Promise<void> {
    const clock = createClock();
    begin();
    clock.lap('steering');
    await advance();
    clock.lap('impacts');
    await look();
    clock.lap('contacts');
    steer();
    clock.lap('steering');
    await advance();
    await advance();
    clock.lap('impacts');
    settle();
    enter();
    clock.lap('steering');
    await tally();
    clock.lap('check');
    times = clock.times;
  }

  function begin(): void {
    linearVelocities.fill(0);
    angularVelocities.fill(0);
    forces.fill(0);
    pushes.fill(0);
    origins.set(positions.subarray(0, 2 * people));
    Object.assign(totals, { present: 0, touching: 0, moving: 0 });
    for (let k = 0; k < leaves; k++) {
      const at = 2 * (people + k);
      const way: Vector = [leafTargets[2 * k] - positions[at], leafTargets[2 * k + 1] - positions[at + 1]];
      linearVelocities.set(shortened(way, RULES.DOOR_SPEED * STEP), at);
    }
  }

  async function advance(): Promise<void> {
    const pairs = await tester.findPairs(walls, { duration: 1, margin: RULES.SKIN });
    const { first, time, pair, normal } = await tester.impacts(walls, pairs, {
      duration: 1,
      margin: RULES.SKIN,
      stopAtPenetration: false,
      results: 'earliest',
    });
    for (let i = 0; i < movers; i++) {
      const slot = first![i];
      const [dx, dy] = [linearVelocities[2 * i], linearVelocities[2 * i + 1]];
      const share = slot === NO_SLOT ? 1 : Math.min(time[slot], 1);
      let rest: Vector = [0, 0];
      if (slot !== NO_SLOT && i < people) {
        const sign = pairs[2 * pair[slot]] === i ? 1 : -1;
        const [nx, ny] = [sign * normal[2 * slot], sign * normal[2 * slot + 1]];
        rest = [(1 - share) * dx, (1 - share) * dy];
        const into = Math.max(rest[0] * nx + rest[1] * ny, 0);
        rest = [rest[0] - into * nx, rest[1] - into * ny];
        const lift = RULES.LIFT * Math.hypot(...rest);
        rest = [rest[0] - lift * nx, rest[1] - lift * ny];
      }
      positions[2 * i] += share * dx;
      positions[2 * i + 1] += share * dy;
      angles[i] = wrapped(angles[i] + share * angularVelocities[i]);
      linearVelocities.set(rest, 2 * i);
      angularVelocities[i] = 0;
    }
  }

  async function look(): Promise<void> {
    const pairs = await tester.findPairs(near, { margin: RULES.SIGHT });
    const found = await tester.contacts(near, pairs, {
      margin: RULES.SIGHT,
      results: 'hits',
      fields: ['pair', 'distance', 'normal'],
    });
    totals.nearPairs = pairs.length / 2;
    for (let slot = 0; slot < found.distance.length; slot++) {
      const [a, b] = [pairs[2 * found.pair[slot]], pairs[2 * found.pair[slot] + 1]];
      const gap = found.distance[slot];
      const normal: Vector = [found.normal[2 * slot], found.normal[2 * slot + 1]];
      if (b >= people) {
        add(forces, a, normal, -RULES.WALL_REPULSION * Math.exp(-gap / RULES.WALL_RANGE));
        continue;
      }
      if (gap < 0) totals.touching++;
      const push = Math.min(RULES.PUSH * Math.max(RULES.GAP - gap, 0), RULES.MAX_PUSH);
      add(pushes, a, normal, -push);
      add(pushes, b, normal, push);
      const away = RULES.REPULSION * Math.exp(-Math.max(gap, 0) / RULES.REPULSION_RANGE);
      add(forces, a, normal, -away);
      add(forces, b, normal, away);
      const [va, vb] = [velocityOf(a), velocityOf(b)];
      add(forces, a, avoidance(va, [va[0] - vb[0], va[1] - vb[1]], normal, gap), 1);
      add(forces, b, avoidance(vb, [vb[0] - va[0], vb[1] - va[1]], [-normal[0], -normal[1]], gap), 1);
    }
  }

  function velocityOf(i: number): Vector {
    return [velocities[2 * i], velocities[2 * i + 1]];
  }

  function steer(): void {
    linearVelocities.fill(0);
    angularVelocities.fill(0);
    for (let i = 0; i < people; i++) {
      if (destinations[i] === NOWHERE) continue;
      const way = wayTo(grid, field, destinations[i], positions[2 * i], positions[2 * i + 1]);
      const speed = world.speeds[i];
      const force = shortened([forces[2 * i], forces[2 * i + 1]], RULES.MAX_ACCELERATION);
      const [vx, vy] = velocityOf(i);
      const faster = (v: number, axis: 0 | 1): number =>
        v + STEP * ((speed * way.direction[axis] - v) / RULES.REACTION + force[axis]);
      const velocity = shortened([faster(vx, 0), faster(vy, 1)], 1.4 * speed);
      velocities.set(velocity, 2 * i);
      const push = shortened([pushes[2 * i], pushes[2 * i + 1]], RULES.MAX_PUSH);
      linearVelocities.set([STEP * velocity[0] + push[0], STEP * velocity[1] + push[1]], 2 * i);
      if (shapeOf[i] && Math.hypot(...velocity) > 0.15) {
        const turn = Math.atan2(velocity[1], velocity[0]) - Math.PI / 2 - angles[i];
        const least = turn - Math.PI * Math.round(turn / Math.PI);
        const most = RULES.TURN_RATE * STEP;
        angularVelocities[i] = Math.min(Math.max(least, -most), most);
      }
    }
  }

  function settle(): void {
    const floats = new Float32Array(entries.words.buffer);
    for (let i = 0; i < people; i++) {
      if (destinations[i] === NOWHERE) continue;
      const [x, y] = [positions[2 * i], positions[2 * i + 1]];
      const moved = Math.hypot(x - origins[2 * i], y - origins[2 * i + 1]) / STEP;
      velocities.set(shortened(velocityOf(i), moved), 2 * i);
      if (wayTo(grid, field, destinations[i], x, y).left < RULES.ARRIVAL) {
        totals.arrived++;
        leave(i);
        continue;
      }
      totals.present++;
      if (moved > 0.3) totals.moving++;
      for (let at = 0; at < entries.words.length; at += ENTRY_WORDS) {
        const [apartX, apartY] = [floats[at + ENTRY.x] - x, floats[at + ENTRY.y] - y];
        if (apartX * apartX + apartY * apartY < RULES.ENTRY_GAP ** 2) entries.words[at + ENTRY.isTaken] = 1;
      }
    }
  }

  function leave(i: number): void {
    destinations[i] = NOWHERE;
    velocities.fill(0, 2 * i, 2 * i + 2);
    const { x, y } = parkingPlace(scene, i);
    positions.set([x, y], 2 * i);
    near.groups[i] = 0;
    walls.groups[i] = 0;
  }

  function entryPlace(k: number): Vector {
    const floats = new Float32Array(entries.words.buffer, 4 * ENTRY_WORDS * k, 2);
    return [floats[0], floats[1]];
  }

  function enter(): void {
    for (let k = 0; k < entries.count; k++) {
      const entry = entries.words.subarray(ENTRY_WORDS * k, ENTRY_WORDS * (k + 1));
      const [isTaken, mode] = [entry[ENTRY.isTaken], entry[ENTRY.mode]];
      entry[ENTRY.isTaken] = 0;
      if (mode === OPEN_ONCE) entry[ENTRY.mode] = 0;
      if ((mode !== OPEN && mode !== OPEN_ONCE) || isTaken) continue;
      const [first, end, stride] = [entry[ENTRY.first], entry[ENTRY.end], entry[ENTRY.stride]];
      for (let tries = Math.ceil((end - first) / stride); tries > 0; tries--) {
        const i = entry[ENTRY.cursor];
        entry[ENTRY.cursor] = i + stride < end ? i + stride : first;
        if (destinations[i] !== NOWHERE) continue;
        destinations[i] = otherZone(entry[ENTRY.zone], scene.zones.length, totals.steps * 4096 + k);
        positions.set(entryPlace(k), 2 * i);
        angles[i] = shapeOf[i] ? wrapped(k < world.entries.length ? world.entries[k].angle : 0) : 0;
        near.groups[i] = groups(PERSON, PERSON | OBSTACLE);
        walls.groups[i] = groups(PERSON, OBSTACLE);
        totals.present++;
        break;
      }
    }
  }

  async function tally(): Promise<void> {
    const pairs = await tester.findPairs(walls);
    const { count } = await tester.intersects(walls, pairs, { results: 'hits' });
    totals.steps++;
    totals.checks += totals.present;
    totals.inWalls += count;
    totals.wallPairs = pairs.length / 2;
  }

  const crowd: Crowd = {
    world,
    step,
    reset() {
      for (let i = 0; i < bodies; i++) {
        positions.set(world.poses.subarray(4 * i, 4 * i + 2), 2 * i);
        angles[i] = world.poses[4 * i + 2];
      }
      velocities.fill(0);
      destinations.set(world.targets);
      near.groups.set(world.groupsNear);
      walls.groups.set(world.groupsWalls);
      entries = makeEntries(world);
      for (const name of TOTALS) totals[name] = 0;
    },
    setDoors(newTargets, newField) {
      leafTargets = Float32Array.from(newTargets);
      field = Float32Array.from(newField);
    },
    throwIn(places) {
      const floats = new Float32Array(entries.words.buffer);
      places.slice(0, THROWN).forEach(({ x, y }, k) => {
        const at = ENTRY_WORDS * (world.entries.length + k);
        floats.set([x, y, 0], at);
        entries.words[at + ENTRY.mode] = OPEN_ONCE;
      });
    },
    report: () => Promise.resolve({ totals: { ...totals }, times }),
    snapshot() {
      const poses = new Float32Array(4 * bodies);
      for (let i = 0; i < bodies; i++) poses.set([positions[2 * i], positions[2 * i + 1], angles[i], 1], 4 * i);
      const speeds = Float32Array.from({ length: people }, (_, i) => Math.hypot(...velocityOf(i)));
      return Promise.resolve({ steps: totals.steps, poses, destinations: destinations.slice(), speeds });
    },
    dispose() {
      for (const id of ids) tester.removeShape(id);
    },
  };
  crowd.reset();
  return crowd;
}

function add(sums: Float64Array, i: number, direction: Vector, size: number): void {
  sums[2 * i] += size * direction[0];
  sums[2 * i + 1] += size * direction[1];
}

function createClock(): { times: StageTimes; lap(stage: keyof StageTimes): void } {
  const times: StageTimes = {};
  let last = performance.now();
  return {
    times,
    lap(stage) {
      const now = performance.now();
      times[stage] = (times[stage] ?? 0) + now - last;
      last = now;
    },
  };
}
