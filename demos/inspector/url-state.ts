/** The address holds the pair, by the name of a case or as the whole capture, and the step. */

import { packText, unpackText } from '../common/packed-text.ts';

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
    text: packed === null ? undefined : await unpacked(packed),
    from: location.hash ? undefined : (new URLSearchParams(location.search).get('from') ?? undefined),
    step: Number.isInteger(step) && step > 0 ? step : undefined,
  };
}

/** What `writeUrl` puts before the step; empty for a capture that is too long for an address. */
export async function addressOf(name: string | undefined, text: string): Promise<string> {
  if (name !== undefined) return `case=${encodeURIComponent(name)}`;
  const packed = await packText(text);
  return packed.length > LONGEST ? '' : `capture=${packed}`;
}

export function writeUrl(address: string, step: number): void {
  if (address) history.replaceState(null, '', `#${address}&step=${step}`);
  else history.replaceState(null, '', location.pathname + location.search);
}

async function unpacked(packed: string): Promise<string> {
  try {
    return await unpackText(packed);
  } catch (error) {
    throw new Error(`its capture cannot be decoded: ${(error as Error).message}`, { cause: error });
  }
}
