/**
 * Writes a zip archive entry by entry, with the same bytes for the same entries and date. Sizes are in front of the data,
 * since some readers don't accept stored entries whose sizes follow. (https://pkware.cachefly.net/webdocs/APPNOTE/APPNOTE-6.3.3.TXT)
 */

import { deflateSync } from 'fflate';
import { crc32 } from './crc32.ts';

/** More would need Zip64, which not all readers know. */
export const MAX_ENTRIES = 65_535;
const MAX_BYTES = 2 ** 32 - 1;

const VERSION = 20;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;

export interface Zip {
  /** Adds a file, or a folder if the name ends with a slash; returns the bytes to write next. */
  add(name: string, text: string): Uint8Array;
  /** The bytes at the end. */
  end(): Uint8Array;
}

/** `date` is in UTC, from 1980 on. */
export function createZip(date: Date): Zip {
  const encoder = new TextEncoder();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const directory: Uint8Array[] = [];
  let offset = 0;

  /** The part that the headers before the data and in the directory have in common. */
  const facts = (name: Uint8Array, text: Uint8Array, data: Uint8Array): number[] => [
    ...short(VERSION),
    ...short(UTF8_NAMES),
    ...short(text.length > 0 ? DEFLATED : 0),
    ...short(time),
    ...short(day),
    ...long(crc32(text)),
    ...long(data.length),
    ...long(text.length),
    ...short(name.length),
    ...short(0),
  ];
  return {
    add(name, text) {
      const encodedName = encoder.encode(name);
      const encoded = encoder.encode(text);
      const data = encoded.length > 0 ? deflateSync(encoded) : encoded;
      const common = facts(encodedName, encoded, data);
      // No comment, first disk, no internal attributes; the external one marks a folder.
      const rest = [...short(0), ...short(0), ...short(0), ...long(name.endsWith('/') ? 0x10 : 0), ...long(offset)];
      directory.push(join([[...signature(1, 2), ...short(VERSION), ...common, ...rest], encodedName]));
      const entry = join([[...signature(3, 4), ...common], encodedName, data]);
      offset += entry.length;
      if (offset > MAX_BYTES || directory.length > MAX_ENTRIES) throw new RangeError('the archive needs Zip64');
      return entry;
    },
    end() {
      const size = directory.reduce((sum, { length }) => sum + length, 0);
      const counts = [...short(0), ...short(0), ...short(directory.length), ...short(directory.length)];
      return join([...directory, [...signature(5, 6), ...counts, ...long(size), ...long(offset), ...short(0)]]);
    },
  };
}

function short(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff];
}

function long(value: number): number[] {
  return [...short(value & 0xffff), ...short(value >>> 16)];
}

function signature(third: number, fourth: number): number[] {
  return [0x50, 0x4b, third, fourth];
}

function join(parts: readonly ArrayLike<number>[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
