/** Numbers of features taken apart, and the named constants of results, in every entry. */

import { describe, expect, test } from 'vitest';
import * as cpu from '../../src/cpu.ts';
import * as constants from '../../src/generated/constants.ts';
import * as browser from '../../src/index.ts';
import * as node from '../../src/node.ts';

const { FeatureKind, ManifoldFeatureKind, decodeManifoldFeature, featureIndex, featureKind } = browser;

test('every entry has the functions and constants of features', () => {
  const names = [
    'FeatureKind',
    'ManifoldFeatureKind',
    'featureKind',
    'featureIndex',
    'manifoldFeatureKind',
    'decodeManifoldFeature',
  ] as const;
  const pick = (entry: object): unknown[] => names.map((name) => (entry as Record<string, unknown>)[name]);
  expect(pick(browser)).not.toContain(undefined);
  for (const entry of [node, cpu]) expect(pick(entry)).toEqual(pick(browser));
  for (const entry of [browser, node]) expect([entry.NO_BODY, entry.NO_SLOT]).toEqual([0xffff_ffff, 0xffff_ffff]);
});

test('kinds are those of the kernels', () => {
  const { FEATURE_VERTEX, FEATURE_EDGE, FEATURE_FACE } = constants;
  const shifted = [FEATURE_VERTEX, FEATURE_EDGE, FEATURE_FACE].map((kind) => kind / 2 ** 30);
  expect([FeatureKind.None, FeatureKind.Vertex, FeatureKind.Edge, FeatureKind.Face]).toEqual([0, ...shifted]);
  const { MANIFOLD_VERTEX, MANIFOLD_CROSSING, MANIFOLD_WITNESS } = constants;
  const ofManifolds = [ManifoldFeatureKind.Vertex, ManifoldFeatureKind.Crossing, ManifoldFeatureKind.Witness];
  expect(ofManifolds).toEqual([MANIFOLD_VERTEX, MANIFOLD_CROSSING, MANIFOLD_WITNESS].map((kind) => kind / 2 ** 30));
});

describe('features of contacts', () => {
  test.each([
    [0, FeatureKind.None, 0],
    [2 ** 30 + 7, FeatureKind.Vertex, 7],
    [2 ** 31 + 11, FeatureKind.Edge, 11],
    [3 * 2 ** 30 + 5, FeatureKind.Face, 5],
    [0xffff_ffff, FeatureKind.Face, 2 ** 30 - 1],
  ])('%d is of kind %d and has index %d', (feature, kind, index) => {
    expect([featureKind(feature), featureIndex(feature)]).toEqual([kind, index]);
  });

  test('the corner of a box over the face of another is a vertex and a face', () => {
    const box = cpu.createShape({ type: 'box', halfExtents: [1, 1, 1] });
    const spike = cpu.createShape({ type: 'hull', points: [0, 5, 0, 0, 0, 0, 1, 5, 0, 0, 5, 1] });
    const quaternion = [0, 0, 0, 1];
    const [poseA, poseB] = [
      [0, 0, 0],
      [0, 0.875, 0],
    ].map((position) => ({ position, quaternion }));
    const { featureA, featureB } = cpu.contact(box, poseA, spike, poseB);
    expect([featureKind(featureA), featureKind(featureB)]).toEqual([FeatureKind.Face, FeatureKind.Vertex]);
    // The caller's point.
    expect(featureIndex(featureB)).toBe(1);
  });
});

/** The edge of two vertices, the lower one first. */
function edge(lower: number, higher: number): number {
  return 181 * lower + higher;
}

describe('features of manifold points', () => {
  const quaternion = [0, 0, 0, 1];
  const box = cpu.createShape({ type: 'box', halfExtents: [1, 1, 1] });

  function decodedPoints(other: cpu.CpuShape, position: number[], turn = quaternion): browser.ManifoldFeature[] {
    const { points } = cpu.manifold(box, { position: [0, 0, 0], quaternion }, other, { position, quaternion: turn });
    return points.map(({ feature }) => decodeManifoldFeature(feature));
  }

  test('corners of the smaller box name it and their numbers', () => {
    const small = cpu.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const found = decodedPoints(small, [0, 1.4375, 0]);
    // Bit 0, 1, 2 of a corner are set where x, y, z is positive: the lower four.
    const expected = [0, 1, 4, 5].map((vertex) => ({ kind: ManifoldFeatureKind.Vertex, body: 'b', vertex }));
    expect(found).toHaveLength(4);
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test('crossing edges have the numbers of both, A first', () => {
    const beam = cpu.createShape({ type: 'box', halfExtents: [3, 0.5, 0.25] });
    const found = decodedPoints(beam, [0, 1.4375, 0]);
    const crossings = found.filter(({ kind }) => kind === ManifoldFeatureKind.Crossing);
    expect(crossings).toHaveLength(4);
    // A's upper edges along z, B's lower edges along x.
    const expected = [edge(2, 6), edge(3, 7)].flatMap((edgeA) => {
      return [edge(0, 1), edge(4, 5)].map((edgeB) => ({ kind: ManifoldFeatureKind.Crossing, edgeA, edgeB }));
    });
    expect(crossings).toEqual(expect.arrayContaining(expected));
  });

  test('an unused slot and a witness point have a kind alone', () => {
    expect(decodeManifoldFeature(0)).toEqual({ kind: ManifoldFeatureKind.None });
    expect(decodeManifoldFeature(3 * 2 ** 30)).toEqual({ kind: ManifoldFeatureKind.Witness });
    expect([0, 1, 2, 3].map((kind) => browser.manifoldFeatureKind(kind * 2 ** 30 + 5))).toEqual([0, 1, 2, 3]);
  });
});
