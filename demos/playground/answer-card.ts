/** The answers as text. */

import { FeatureKind, Status, featureIndex, featureKind } from 'narrowphase';
import { byId, create, fillRows } from '../common/dom.ts';
import type { Answer, Backend } from './answer.ts';
import type { PlaygroundScene } from './scene.ts';

const DIGITS = 6;

const STATUS_NAMES: Record<Status, string> = {
  [Status.Separated]: 'Separated',
  [Status.Overlapping]: 'Overlapping',
  [Status.NotConverged]: 'Not converged',
  [Status.InvalidInput]: 'Invalid input',
  [Status.CapacityExceeded]: 'Capacity exceeded',
};

const KIND_NAMES: Record<FeatureKind, string> = {
  [FeatureKind.None]: 'none',
  [FeatureKind.Vertex]: 'vertex',
  [FeatureKind.Edge]: 'edge',
  [FeatureKind.Face]: 'face',
};

function numberText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  return (Math.abs(value) < 5e-7 ? 0 : value).toFixed(DIGITS).replace('-', '−');
}

function vectorText(values: readonly number[]): string {
  return values.map((value) => (Math.abs(value) < 5e-5 ? 0 : value).toFixed(4).replace('-', '−')).join('  ');
}

function featureText(feature: number): string {
  const kind = featureKind(feature);
  return kind === FeatureKind.None ? 'none' : `${KIND_NAMES[kind]} ${featureIndex(feature)}`;
}

export function showAnswer(answer: Answer, { duration }: PlaygroundScene): void {
  const { contact, manifolds, impact } = answer;
  const isOver = contact.distance <= 0;
  byId('status').textContent = STATUS_NAMES[contact.status];
  byId('status').dataset.status = String(contact.status);
  byId('distance-name').textContent = isOver ? 'Depth' : 'Gap';
  byId('distance').textContent = numberText(Math.abs(contact.distance));
  fillRows(byId('contact-rows'), [
    ['Signed distance', numberText(contact.distance)],
    ['Normal', vectorText(contact.normal)],
    ['Time of impact', impactText(answer, duration)],
  ]);
  fillRows(byId('detail-rows'), [
    ['Point on A', vectorText(contact.pointA)],
    ['Point on B', vectorText(contact.pointB)],
    ['Features', `${featureText(contact.featureA)} of A, ${featureText(contact.featureB)} of B`],
    ...partRows(contact),
    ['Iterations', String(contact.iterations)],
    ...(impact && impact.time < Infinity ? ([['Normal at impact', vectorText(impact.normal)]] as const) : []),
  ]);
  const points = manifolds.flatMap((manifold) => manifold.points);
  byId('manifold-name').textContent =
    points.length === 0
      ? 'Manifold: no points'
      : `Manifold: ${points.length} ${points.length === 1 ? 'point' : 'points'}`;
  byId('manifold').replaceChildren(
    ...points
      .slice(0, 8)
      .map(({ distance, position }) =>
        create('li', '', create('span', '', numberText(distance)), create('span', 'at', vectorText(position))),
      ),
    ...(points.length > 8 ? [create('li', 'at', `and ${points.length - 8} more`)] : []),
  );
  byId('refusal').hidden = true;
  byId('figures').hidden = false;
}

/** The parts of meshes and compounds that the answer is about. */
function partRows({ partA, partB }: { partA?: number; partB?: number }): [string, string][] {
  return partA === undefined ? [] : [['Parts', `${partA} of A, ${partB} of B`]];
}

function impactText({ impact }: Answer, duration: number): string {
  if (!impact) return 'nothing moves';
  if (impact.status === Status.NotConverged) return `after ${numberText(impact.time)} s at the earliest`;
  if (impact.time === Infinity) return `none within ${duration} s`;
  if (impact.time === 0) return '0 s: they touch at the start';
  return `${numberText(impact.time)} s`;
}

/** In place of an answer: why there is none. */
export function showRefusal(reason: string): void {
  byId('refusal').textContent = reason;
  byId('refusal').hidden = false;
  byId('figures').hidden = true;
  byId('status').textContent = 'No answer';
  byId('status').dataset.status = 'none';
}

interface Timing {
  algorithm: string;
  backend: Backend;
  microseconds: number;
  pairs: number;
}

/** Says how long a pair takes; nothing if no time is known. */
export function showTime(timing?: Timing): void {
  byId('time').textContent = timing ? timeText(timing) : '';
}

function timeText({ algorithm, backend, microseconds, pairs }: Timing): string {
  const place = backend === 'cpu' ? 'the CPU' : 'WebGPU';
  const perPair = `${durationText(microseconds)} per pair`;
  return `${algorithm} on ${place}: ${perPair}, contacts of a list of ${pairs.toLocaleString('en')}`;
}

function durationText(microseconds: number): string {
  return microseconds < 1000
    ? `${Number(microseconds.toPrecision(3))} µs`
    : `${Number((microseconds / 1000).toPrecision(3))} ms`;
}
