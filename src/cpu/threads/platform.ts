/** What browsers and Node have of their own. Bun and Deno have Node's modules. */

function builtin<Module>(name: string): Module | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as Module | undefined;
}

/**
 * Node's module `worker_threads`, where its workers can be made. Bun and Deno have web workers too, but those of Deno
 * keep the process alive. Pages of Electron have the module, but may only make web workers.
 */
export function threadsOfNode(): typeof import('node:worker_threads') | undefined {
  const isBrowser = typeof Worker === 'function' && globalThis.navigator?.userAgent?.startsWith('Mozilla/');
  return isBrowser ? undefined : builtin('node:worker_threads');
}

/** Whether there is anything that workers could be made with. */
export function hasWorkers(): boolean {
  return typeof Worker === 'function' || threadsOfNode() !== undefined;
}

/** Processors that there are to compute on. */
export function coreCount(): number {
  const system = builtin<typeof import('node:os')>('node:os');
  return system?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 1;
}

/** Calls `receive` with each message to this worker. */
export function onMessage<Message>(receive: (message: Message) => void): void {
  const port = ownPort();
  port.addEventListener('message', ({ data }) => receive(data as Message));
  // Ports of Node wait for it; a browser's worker has no such thing.
  port.start?.();
}

/** Posts a message from this worker. */
export function post(message: unknown, transfer: Transferable[]): void {
  ownPort().postMessage(message, transfer);
}

function ownPort(): MessagePort {
  return (threadsOfNode()?.parentPort ?? globalThis) as unknown as MessagePort;
}
