import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { inject } from 'vitest'

const options = { history: 'short', live: false } as const
const keptIn = (dataDir: string) => join(dataDir, 'devnet', 'chain.state')

/**
 * A devnet with three hours of history and no trades but those asked for, as `startDevnet` makes it. The first one of a run is kept, and
 * later ones begin with a copy: a tenth of a second instead of one and a half. State of blocks before the start is gone from a copy, as
 * after every restart of the devnet.
 */
export async function startShortDevnet(): Promise<Devnet> {
  const first = inject('firstDevnet')
  if (!existsSync(keptIn(first))) {
    if (!claim(first)) return startDevnet(options)
    await (await startDevnet({ ...options, dataDir: first })).stop()
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'chainboard-devnet-'))
  mkdirSync(join(dataDir, 'devnet'))
  copyFileSync(keptIn(first), keptIn(dataDir))
  const devnet = await startDevnet({ ...options, dataDir })
  const stop = async () => {
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { ...devnet, stop }
}

/** Whether it is for this file to make the first one: nobody waits for it, as that takes as long as another of one's own. */
function claim(first: string): boolean {
  try {
    mkdirSync(join(first, 'claimed'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
