/** What happens in a step, in words. */

import type { PlanarSatStep } from 'narrowphase/cpu';
import { axisName } from './sat-bars.ts';
import type { Step } from './step.ts';

export function describeStep(step: Step): string {
  switch (step.type) {
    case 'pair':
      return 'The pair as the first search sees it: in the frame of A, without rounding.';
    case 'closed-form':
      return `A formula gives the answer at once: the cores’ signed distance is ${number(step.lower)}.`;
    case 'newton':
      return `Newton step ${step.iteration}: the points on both cores are ${number(step.distance)} apart.`;
    case 'gjk':
      return (
        `Support ${step.iteration}: the lowest point of the difference along the direction is at height ${number(step.height)}. ` +
        `It joins a simplex of ${count(step.simplex.length, 'point')}.`
      );
    case 'gjk-end':
      return `${GJK_OUTCOMES[step.outcome]} Bounds: ${number(step.lower)} to ${number(step.upper)}.`;
    case 'sat':
      if ('edge' in step) return describeEdgeAxis(step);
      if (step.direction.every((x) => x === 0))
        return `Axis ${axisName(step.axis)}: the edges are parallel, so it is skipped.`;
      return step.separation > 0
        ? `Axis ${axisName(step.axis)}: the projections are ${number(step.separation)} apart, so the shapes do not overlap.`
        : `Axis ${axisName(step.axis)}: the projections overlap by ${number(-step.separation)}.`;
    case 'mpr':
      return `${MPR_PHASES[step.phase]} Support ${step.iteration} is highest along the direction.`;
    case 'mpr-end':
      return `MPR ends: ${MPR_OUTCOMES[step.outcome]}`;
    case 'epa-start':
      if ('edges' in step) return 'EPA begins with the triangle that encloses the origin.';
      return (
        `The polytope to begin with has ${count(step.vertices.length, 'vertex')} and ` +
        `${count(step.faces.length, 'face')}. It holds the origin.`
      );
    case 'epa':
      if ('edge' in step)
        return (
          `Step ${step.iteration}: the edge nearest to the origin is at ${number(step.edgeHeight)}, the difference beyond it ` +
          `reaches ${number(step.height)}. ${step.apex < 0 ? 'It is not split.' : 'The support splits it.'}`
        );
      return (
        `Step ${step.iteration}: the face nearest to the origin is at ${number(step.faceHeight)}, ` +
        `the difference beyond it reaches ${number(step.height)}. ${expansion(step.removed.length, step.apex)}`
      );
    case 'epa-end':
      return `EPA has ${step.outcome}. The signed distance of the cores is between ${number(step.lower)} and ${number(step.upper)}.`;
    case 'refine':
      return `A better direction for curved shapes: the signed distance is between ${number(step.lower)} and ${number(step.upper)}.`;
    case 'arcs-start':
      return (
        `The walk over the Gauss maps begins: ${count(step.faces, 'face')} of both bodies, and ` +
        `${count(step.arcs, 'arc')} of ${step.arcsOf.toUpperCase()}. To beat: ${number(step.lower)}.`
      );
    case 'arcs-face':
      return `Face ${step.face} of ${step.body.toUpperCase()} is better than all directions before: ${number(step.height)}.`;
    case 'arc':
      return (
        `On arc ${step.arc} of ${step.body.toUpperCase()}, vertices ${step.vertices.join(' and ')} of the other body are equally low ` +
        `at ${number(step.height)}: a candidate.`
      );
    case 'arcs-end':
      return `The walk is over: the signed distance of the cores is ${number(step.lower)}.`;
    case 'cast':
      return (
        `Support ${step.iteration}: B has travelled ${number(step.travelled)}. ` +
        `Along the direction the bodies are ${number(step.separation)} apart.`
      );
    case 'cast-end':
      return `${CAST_OUTCOMES[step.outcome]} B has travelled ${number(step.travelled)}.`;
    case 'swept':
      return `A support of the swept difference, to enclose the origin. The simplex has ${count(step.simplex.length, 'point')}.`;
    case 'crossing':
      if ('left' in step)
        return (
          `Support ${step.iteration}: the line of the motion leaves between the ends of this edge. ` +
          `The difference reaches ${number(step.height)} beyond it.`
        );
      return (
        `Step ${step.iteration}: the ray of the motion leaves through this face. ` +
        `${expansion(step.removed.length, step.apex)}`
      );
    case 'crossing-end':
      return `${CROSSING_OUTCOMES[step.outcome]} B has travelled ${number(step.travelled)}.`;
    case 'advance':
      return `${ADVANCES[step.state]} At ${number(step.time)} s the separation is ${number(step.separation)}.`;
    case 'swept-sat':
      return (
        `Axis ${axisName(step.axis)}: the projections overlap while B has travelled between ` +
        `${number(step.enter)} and ${number(step.leave)}.`
      );
    case 'manifold':
      if ('edgeA' in step)
        return (
          `The two edges are clipped against each other. ` +
          `The manifold has ${count(step.corners.filter(({ isChosen }) => isChosen).length, 'point')}.`
        );
      return (
        `The two faces are clipped against each other: ${count(step.corners.length, 'corner')}, of which ` +
        `${step.corners.filter(({ isChosen }) => isChosen).length} are kept.`
      );
    case 'result':
      return describeResult(step.result);
  }
}

function describeEdgeAxis({ body, edge, separation }: PlanarSatStep): string {
  const name = `Normal of edge ${edge} of ${body.toUpperCase()}`;
  return separation > 0
    ? `${name}: the projections are ${number(separation)} apart, so the cores do not overlap.`
    : `${name}: the projections overlap by ${number(-separation)}.`;
}

function describeResult(result: object): string {
  const { hit, distance, time, unclampedTime, points } = result as Record<string, unknown> & { points?: unknown[] };
  if (typeof time === 'number')
    return time === Infinity
      ? 'The query’s answer: no impact within the duration.'
      : `The query’s answer: impact after ${number(time)} s${unclampedTime === time ? '' : ', as they overlap from the start'}.`;
  if (points)
    return `The query’s answer: ${count(points.length, 'contact point')}, signed distance ${number(Number(distance))}.`;
  if (typeof distance === 'number')
    return `The query’s answer: distance ${number(distance)}, ${hit ? 'a hit' : 'no hit'}.`;
  return `The query’s answer: ${hit ? 'they overlap' : 'they do not overlap'}.`;
}

function expansion(removed: number, apex: number): string {
  if (apex < 0) return 'Nothing is beyond, so it is not expanded.';
  const replaced = count(removed, 'face');
  return removed === 1
    ? `${replaced} sees the support and is replaced.`
    : `${replaced} see the support and are replaced.`;
}

function count(n: number, what: string): string {
  const many = what.endsWith('x') ? `${what.slice(0, -2)}ices` : `${what}s`;
  return `${n} ${n === 1 ? what : many}`;
}

export function number(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'infinity' : '−infinity';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size < 1e-4 || size >= 1e6
      ? value.toExponential(3)
      : value
          .toPrecision(6)
          .replace(/(\.\d*?)0+$/, '$1')
          .replace(/\.$/, '');
  return text.replace('-', '−');
}

const GJK_OUTCOMES = {
  converged: 'GJK has converged: the bounds meet.',
  far: 'GJK stops: the shapes are farther apart than matters.',
  near: 'GJK stops: the shapes are near enough for the query.',
  touching: 'The simplex touches the origin.',
  enclosed: 'The simplex encloses the origin: the cores overlap.',
  stalled: 'No support improves the bounds any more.',
} as const;

const MPR_PHASES = {
  probe: 'A direction to begin with.',
  first: 'The first corner of the portal.',
  second: 'The second corner of the portal.',
  third: 'The third corner, until the ray passes through the portal.',
  refine: 'The portal moves outwards.',
} as const;

const MPR_OUTCOMES = {
  overlapping: 'the origin is inside, the cores overlap.',
  far: 'the origin is outside.',
  open: 'undecided, another search takes over.',
} as const;

const CAST_OUTCOMES = {
  met: 'The bodies meet.',
  missed: 'B passes A.',
  inside: 'They touch or overlap from the start.',
  stalled: 'The cast gives up; another search takes over.',
} as const;

const CROSSING_OUTCOMES = {
  met: 'The line leaves here: the bodies meet.',
  missed: 'The line misses the difference: B passes A.',
  stalled: 'Velocity EPA gives up; a cast takes over.',
} as const;

const ADVANCES = {
  approaching: 'Nothing can touch before: the bodies advance.',
  leaving: 'The bodies overlap and part.',
  touching: 'The bodies touch: do they part, or go on into each other?',
  bisecting: 'The last step was too long: it is halved.',
  meeting: 'The bodies meet.',
} as const;
