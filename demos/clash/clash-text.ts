/** Words and numbers for a clash. */

import type { Clash } from '../../cli/clash/clash-report.ts';
import { componentsOf, namesOf, titleOf } from '../../cli/clash/describe.ts';

export { namesOf, titleOf };

/** `12.4 mm`; without a unit where the file does not state one. */
export function lengthText(length: number, isMetre: boolean): string {
  const size = Math.abs(length);
  if (!isMetre) return digits(size);
  return size < 1 ? `${digits(1000 * size)} mm` : `${digits(size)} m`;
}

/** Less than this, in the unit shown, is rounding of single precision. */
const LEAST = 0.0005;

function digits(value: number): string {
  return value < LEAST ? '0' : String(Number(value.toPrecision(value < 1 ? 2 : 3)));
}

/** `overlap 12.4 mm (exact)`, `overlap at least 88 mm (bound)`, `clearance 20 mm (exact)`. */
export function clashLabel({ category, distance, source }: Clash, isMetre: boolean): string {
  const isBound = source === 'bound' && distance <= 0;
  return `${category} ${isBound ? 'at least ' : ''}${lengthText(distance, isMetre)} (${source})`;
}

export function vectorText(vector: readonly number[]): string {
  return componentsOf(vector).join('  ');
}

/** glTF is in metres. Other formats do not state their unit. */
export function isInMetres(file: string): boolean {
  return /\.(?:glb|gltf)$/i.test(file);
}
