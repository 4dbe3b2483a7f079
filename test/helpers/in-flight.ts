/** A device that counts what is in flight: submissions whose copies have not been mapped yet. */

export interface WatchedDevice {
  device: GPUDevice;
  /** In order: a submission with what was in flight behind it, or a mapping with what was in flight before it. */
  readonly events: string[];
  /** Submissions whose copies have not been mapped. */
  inFlight(): number;
  /** Forgets the events. Mapping number `mapping` from now on rejects with `error`. */
  restart(failure?: { mapping: number; error: Error }): void;
  /** Called when a mapping has ended. */
  onMapped?: () => unknown;
}

/** All else goes through to `real`. Storage buffers take at most `maxBytes`, which bounds the chunks of queries. */
export function watchingDevice(real: GPUDevice, maxBytes: number): WatchedDevice {
  const limits = new Proxy(real.limits, {
    get: (target, name) =>
      name === 'maxStorageBufferBindingSize' ? maxBytes : (Reflect.get(target, name, target) as unknown),
  });
  let count = 0;
  let mappings = 0;
  let failing: { mapping: number; error: Error } | undefined;

  function createBuffer(descriptor: GPUBufferDescriptor): GPUBuffer {
    const buffer = real.createBuffer(descriptor);
    const map = buffer.mapAsync.bind(buffer);
    buffer.mapAsync = async (...parameters) => {
      const isFailing = mappings++ === failing?.mapping;
      try {
        await map(...parameters);
        if (!isFailing) return undefined;
        buffer.unmap();
        throw failing!.error;
      } finally {
        watched.events.push(`map ${count--}`);
        watched.onMapped?.();
      }
    };
    return buffer;
  }

  const queue = new Proxy(real.queue, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      if (name !== 'submit') return value.bind(target) as unknown;
      return (commands: GPUCommandBuffer[]) => {
        watched.events.push(`submit ${++count}`);
        return target.submit(commands);
      };
    },
  });
  const own: Record<PropertyKey, unknown> = { limits, queue, createBuffer };
  const device = new Proxy(real, {
    get(target, name) {
      if (name in own) return own[name];
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const watched: WatchedDevice = {
    device,
    events: [],
    inFlight: () => count,
    restart(failure) {
      watched.events.length = 0;
      mappings = 0;
      failing = failure;
    },
  };
  return watched;
}
