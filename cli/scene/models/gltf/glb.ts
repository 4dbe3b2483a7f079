/**
 * The container GLB: a header of 12 bytes (magic, version, length), then chunks, each with length and type. The first
 * one is JSON, the second one the binary data if there are any. Further chunks are skipped.
 */

import { refuse } from '../refusal.ts';

export interface GlbChunks {
  json: Uint8Array;
  binary?: Uint8Array;
  /** Bytes after the length that the header gives. */
  trailing: number;
}

const HEADER = 12;
const CHUNK_HEADER = 8;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Whether the bytes begin with the magic number of GLB. */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && String.fromCharCode(...bytes.subarray(0, 4)) === 'glTF';
}

export function readGlb(bytes: Uint8Array): GlbChunks {
  if (!isGlb(bytes)) {
    const start = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    refuse(`begins with the bytes ${start || '(none)'}, expected 67 6c 54 46, "glTF"`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER) refuse(`has ${bytes.length} bytes, expected at least ${HEADER}, the header of a GLB file`);
  const version = view.getUint32(4, true);
  if (version !== 2) refuse(`has version ${version} of GLB, expected 2`);
  const length = view.getUint32(8, true);
  if (length > bytes.length) refuse(`is cut short: has ${bytes.length} bytes, but its header says ${length}`);
  const chunks: { type: number; content: Uint8Array }[] = [];
  for (let at = HEADER; at < length;) {
    const name = `chunk ${chunks.length}`;
    if (at + CHUNK_HEADER > length)
      refuse(`${name} has no header, expected ${CHUNK_HEADER} bytes, found ${length - at}`);
    const size = view.getUint32(at, true);
    const start = at + CHUNK_HEADER;
    if (size > length - start) refuse(`${name} has ${size} bytes, but only ${length - start} are left in the file`);
    chunks.push({ type: view.getUint32(at + 4, true), content: bytes.subarray(start, start + size) });
    at = start + size;
  }
  if (chunks[0]?.type !== JSON_CHUNK) refuse('its first chunk is not JSON, expected JSON');
  return {
    json: chunks[0].content,
    binary: chunks[1]?.type === BINARY_CHUNK ? chunks[1].content : undefined,
    trailing: bytes.length - length,
  };
}
