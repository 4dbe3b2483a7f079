/** Viewpoints of BCF topics: a camera that looks at the clash, with both bodies selected and coloured. */

import type { Clash } from '../../clash-report.ts';
import { documentOf, element, type Element } from './xml-element.ts';
import type { BcfVersion } from './bcf-version.ts';

/** Colours of A and B, in hexadecimal. */
const COLOURS = ['1C7ED6', 'E8590C'];
const FIELD_OF_VIEW = 60;
const ASPECT_RATIO = 1;

/** A camera is this many sizes of the smaller body, or of the depth, away. */
const SIZES_AWAY = 3;
const DEPTHS_AWAY = 10;

/** Preferred directions to look from, of which one is not along the normal. z is up. */
const FROM = [
  [0.6, -0.6, 0.53],
  [-0.6, -0.6, 0.53],
];
const UP = [0, 0, 1];

/** `up` is the axis of the scene that points up. In BCF it is z. */
export function viewpointOf(clash: Clash, guid: string, version: BcfVersion, up: 'y' | 'z'): string {
  const names = [clash.a, clash.b];
  const components = names.map(component);
  const colours = components.map((each, i) =>
    element(['Color', { Color: COLOURS[i] }], version === '2.1' ? each : element('Components', each)),
  );
  return documentOf(
    element(
      ['VisualizationInfo', { Guid: guid }],
      element(
        'Components',
        element('Selection', ...components),
        element(['Visibility', { DefaultVisibility: 'true' }]),
        element('Coloring', ...colours),
      ),
      camera(clash, version, up),
    ),
  );
}

function component(name: string): Element {
  // BCF 3.0 does not allow blank text.
  const id = name.trim() === '' ? undefined : element('AuthoringToolId', name);
  return element(['Component', { IfcGuid: ifcGuidIn(name) }], id);
}

/** The GlobalId of IFC that many exporters put into the names of nodes. */
function ifcGuidIn(name: string): string | undefined {
  return /(?<![\w$])[0-3][0-9A-Za-z_$]{21}(?![\w$])/.exec(name)?.[0];
}

function camera({ point, normal, size, distance }: Clash, version: BcfVersion, up: 'y' | 'z'): Element {
  const target = upright(point, up);
  const across = upright(normal, up);
  const from = unit(FROM.map((each) => perpendicular(each, across)).reduce((a, b) => (length(a) > 0.5 ? a : b)));
  const away = Math.max(SIZES_AWAY * size, DEPTHS_AWAY * Math.abs(distance), Number.MIN_VALUE);
  const upwards = unit(perpendicular(Math.abs(from[2]) < 0.99 ? UP : [0, 1, 0], from));
  return element(
    'PerspectiveCamera',
    vector(
      'CameraViewPoint',
      target.map((x, axis) => x + away * from[axis]),
    ),
    vector(
      'CameraDirection',
      from.map((x) => 0 - x),
    ),
    vector('CameraUpVector', upwards),
    element('FieldOfView', FIELD_OF_VIEW),
    version === '2.1' ? undefined : element('AspectRatio', ASPECT_RATIO),
  );
}

/** The vector with z up. */
function upright([x, y, z]: readonly number[], up: 'y' | 'z'): number[] {
  return up === 'z' ? [x, y, z] : [x, 0 - z, y];
}

/** The part of a vector that is perpendicular to a unit vector. */
function perpendicular(v: readonly number[], n: readonly number[]): number[] {
  const along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
  return v.map((x, axis) => x - along * n[axis]);
}

function length(v: readonly number[]): number {
  return Math.hypot(v[0], v[1], v[2]);
}

function unit(v: readonly number[]): number[] {
  const size = length(v);
  return v.map((x) => x / size);
}

/** Numbers as `xs:double` has them. */
function vector(name: string, [x, y, z]: readonly number[]): Element {
  return element(name, element('X', x), element('Y', y), element('Z', z));
}
