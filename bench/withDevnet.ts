import { type Devnet, type DevnetOptions, startDevnet } from '@chainboard/devnet'

/** Starts a devnet that prints its progress, and stops it after the work, however that ends. @throws like `startDevnet` and the work */
export async function withDevnet<T>(
  options: Omit<DevnetOptions, 'onProgress'>,
  work: (devnet: Devnet) => Promise<T>,
): Promise<T> {
  const devnet = await startDevnet({ ...options, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    return await work(devnet)
  } finally {
    await devnet.stop()
  }
}
