/** Copies buffers to the host, all as they are after the work submitted so far. */

export async function readBuffers(device: GPUDevice, buffers: readonly GPUBuffer[]): Promise<ArrayBuffer[]> {
  const encoder = device.createCommandEncoder();
  const copies = buffers.map((source) => {
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const copy = device.createBuffer({ label: 'Crowd.copy', size: source.size, usage });
    encoder.copyBufferToBuffer(source, 0, copy, 0, source.size);
    return copy;
  });
  device.queue.submit([encoder.finish()]);
  return Promise.all(
    copies.map(async (copy) => {
      await copy.mapAsync(GPUMapMode.READ);
      const bytes = copy.getMappedRange().slice(0);
      copy.destroy();
      return bytes;
    }),
  );
}
