import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAddress } from '@chainboard/core'
import { createRandom } from '@chainboard/devnet'
import { expect, it } from 'vitest'
import { createAccountWriter } from '../testing/accountWriter.ts'
import { findBrokenRows } from '../testing/findBrokenRows.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()
/** Every kill costs a start: raise it for a long run by hand. */
const kills = 6
const writers = 6

it(`killed ${kills} times while users register, favour and add wallets, has every acknowledged change and none by half`, {
  timeout: 900_000,
}, async () => {
  const seed = Date.now()
  console.log(`seed ${seed}`)
  const random = createRandom(String(seed)).next
  const list = JSON.parse(readFileSync(join(import.meta.dirname, '../../networks/lists/devnet/assets.json'), 'utf8')) as {
    address: string
  }[]
  const tokens = list.flatMap(({ address }) => parseAddress(address) ?? [])
  const users = Array.from({ length: writers }, (_, i) => createAccountWriter(String(i), tokens, random))
  const env = {
    DATA_DIR: stores.dir,
    RPC_URL: 'http://127.0.0.1:9',
    PROXIES: '1',
    PUBLIC_URL: 'http://127.0.0.1',
    LOG_LEVEL: 'silent',
  }
  // Not a wait for something: the kill itself is what is timed.
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const countAcknowledged = () => users.reduce((sum, user) => sum + user.acknowledged(), 0)

  for (let kill = 0; kill < kills; kill += 1) {
    const { child, listening, ended } = startServerProcess(env)
    // The first is killed while it opens the database, at its first start.
    if (kill === 0) await sleep(100 + random() * 400)
    else {
      const url = await listening
      await Promise.all(users.map((user) => user.check(url)))
      const before = countAcknowledged()
      const writing = Promise.all(users.map((user) => user.writeUntilGone(url)))
      const hasMore = async () => {
        while (countAcknowledged() < before + 2) await sleep(1)
      }
      // A slow machine has something to lose, too.
      await Promise.race([hasMore(), writing])
      await sleep(random() * 200)
      child.kill('SIGKILL')
      await writing
    }
    child.kill('SIGKILL')
    await ended
  }
  const { child, listening, ended } = startServerProcess(env)
  const url = await listening
  await Promise.all(users.map((user) => user.check(url)))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(countAcknowledged()).toBeGreaterThan(kills)

  const store = await stores.open({ file: join(stores.dir, 'devnet', 'chainboard.db') })
  expect(await findBrokenRows(store)).toBeUndefined()
})
