/**
 * A device that refuses memory, as a full one does: `createBuffer` gives nothing of use and the error scope says out of
 * memory.
 */

export interface RefusingDevice {
  device: GPUDevice;
  /** Whether a buffer of this label is refused from now on; `undefined`: none is. */
  refuse(isRefused: ((label: string) => boolean) | undefined): void;
  /** Labels of buffers that were made and not destroyed. */
  alive(): string[];
}

/** All else goes through to `real`. */
export function refusing(real: GPUDevice): RefusingDevice {
  let isRefused: ((label: string) => boolean) | undefined;
  const scopes: { filter: GPUErrorFilter; message?: string }[] = [];
  const living = new Set<GPUBuffer>();
  const own: Record<string, unknown> = {
    createBuffer(descriptor: GPUBufferDescriptor): GPUBuffer {
      const buffer = real.createBuffer(descriptor);
      living.add(buffer);
      const destroy = buffer.destroy.bind(buffer);
      buffer.destroy = () => {
        living.delete(buffer);
        return destroy();
      };
      if (isRefused?.(descriptor.label ?? '')) {
        const scope = [...scopes].reverse().find(({ filter }) => filter === 'out-of-memory');
        if (scope) scope.message ??= `no memory for ${descriptor.label}`;
        buffer.destroy();
      }
      return buffer;
    },
    pushErrorScope(filter: GPUErrorFilter): void {
      scopes.push({ filter });
      real.pushErrorScope(filter);
    },
    async popErrorScope(): Promise<{ message: string } | null> {
      const scope = scopes.pop();
      const error = await real.popErrorScope();
      return scope?.message === undefined ? error : { message: scope.message };
    },
  };
  const device = new Proxy(real, {
    get(target, name) {
      if (name in own) return own[name as string];
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { device, refuse: (next) => void (isRefused = next), alive: () => [...living].map(({ label }) => label) };
}
