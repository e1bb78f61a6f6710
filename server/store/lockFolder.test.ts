import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTempStores } from '../testing/tempStores.ts'
import { lockFolder } from './lockFolder.ts'

const stores = createTempStores()

it('rubbish in the pid file, or a folder in its place, keeps no server from starting', async () => {
  for (const [name, make] of [
    ['rubbish', (file: string) => writeFileSync(file, '\0rubbish')],
    ['folder', (file: string) => mkdirSync(join(file, 'more'), { recursive: true })],
  ] as const) {
    const folder = join(stores.dir, name)
    mkdirSync(folder)
    make(join(folder, 'server.pid'))
    const lock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(/^Another Chainboard server uses the folder/)
    await lock.release()
    await (await lockFolder(folder)).release()
  }
})
