/** The WGSL of kernels, which is loaded when a kernel is first compiled. */
import { NarrowphaseError } from '../api/errors.ts';
import { bundles, kernels, loadSearchKernels, type KernelName } from '../generated/kernel-table.ts';

/**
 * The whole text of a kernel. Rejects with `SHADER`, whose `cause` is the error, where a bundle can't be loaded; the
 * next call tries again.
 */
export async function kernelCode(name: KernelName): Promise<string> {
  if (!(name in kernels)) Object.assign(kernels, await load(name, 'searches', loadSearchKernels));
  const loaded = await Promise.all(
    kernels[name].bundles.map(async (bundle) => (await load(name, bundle, bundles[bundle])).modules),
  );
  const texts = Object.assign({}, ...loaded) as Record<string, string>;
  return kernels[name].modules.map((path) => texts[path]).join('\n');
}

async function load<Part>(kernel: KernelName, bundle: string, loadPart: () => Promise<Part>): Promise<Part> {
  try {
    return await loadPart();
  } catch (cause) {
    const message = `kernel ${kernel}: its text (${bundle}) could not be loaded: ${(cause as Error).message}`;
    throw new NarrowphaseError('SHADER', message, { cause });
  }
}
