/** The address holds the pair, by the name of a case or as the whole capture, and the step. */

export interface UrlState {
  name?: string;
  /** JSON of a capture. */
  text?: string;
  /** Counted from 1, as the page does. */
  step?: number;
  /** Path of a file that has a capture, for the command line: `?from=/capture.json`. */
  from?: string;
}

/** Browsers and chat programs cut longer addresses. */
const LONGEST = 8000;

export async function readUrl(): Promise<UrlState> {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const step = Number(parameters.get('step'));
  const packed = parameters.get('capture');
  return {
    name: parameters.get('case') ?? undefined,
    text: packed === null ? undefined : await unpack(packed),
    from: location.hash ? undefined : (new URLSearchParams(location.search).get('from') ?? undefined),
    step: Number.isInteger(step) && step > 0 ? step : undefined,
  };
}

/** What `writeUrl` puts before the step; empty for a capture that is too long for an address. */
export async function addressOf(name: string | undefined, text: string): Promise<string> {
  if (name !== undefined) return `case=${encodeURIComponent(name)}`;
  const packed = await pack(text);
  return packed.length > LONGEST ? '' : `capture=${packed}`;
}

export function writeUrl(address: string, step: number): void {
  if (address) history.replaceState(null, '', `#${address}&step=${step}`);
  else history.replaceState(null, '', location.pathname + location.search);
}

async function pack(text: string): Promise<string> {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

async function unpack(packed: string): Promise<string> {
  if (!/^[\w-]+$/.test(packed)) throw new Error('its capture has characters that none has');
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes));
}

async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const input = new Blob([bytes]).stream();
  return new Uint8Array(await new Response(input.pipeThrough(stream)).arrayBuffer());
}
