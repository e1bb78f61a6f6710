import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../store/openStore.ts'
import type { Store } from '../store/store.ts'
import { usdc } from '../testing/market.ts'
import { signProof } from '../testing/signProof.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createTestKeys, type TestKeys } from '../testing/testKeys.ts'
import { createKeys, type Keys } from './createKeys.ts'

const stores = createTempStores()
const day = 86_400_000

describe.each(engines)('free keys of one address on %s', (engine) => {
  let store: Store
  let service: TestKeys
  let keys: Keys
  beforeAll(async () => {
    store = await openStore(await stores.locate(engine))
    service = createTestKeys(store)
    keys = createKeys({
      store,
      service,
      chain: { forward: async () => '0x' },
      checkSignature: async () => undefined,
      site: { siteName: 'Testboard', domain: 'board.example' },
      usdc: { address: usdc, decimals: 6 },
      adminWallets: new Set(),
      hashClient: (client) => Buffer.from(client).toString('hex').padStart(64, '0'),
      nowMs: () => service.clock.ms,
    })
  })
  afterAll(() => store.close())

  const walletOf = (place: number) => privateKeyToAccount(`0x${(place + 1).toString(16).padStart(64, '0')}`)
  const prove = (place: number) => signProof(walletOf(place), { atMs: service.clock.ms })
  const make = async (place: number, client: string) => keys.makeFreeKey(await prove(place), client)
  const refused = {
    code: 'too-many-attempts',
    message:
      'Your address reached its limit: 50 wallets got their first key from it in the last 30 days. Use a key that you have, or contact the operator of this site',
  }

  it('are fifty, also when they are wanted at once; another address has its own, and the message stays good', async () => {
    const made = await Promise.allSettled(Array.from({ length: 52 }, (_, place) => make(place, '192.0.2.1')))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    const failures = made.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(failures).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)])
    const proof = await prove(60)
    await expect(keys.makeFreeKey(proof, '192.0.2.1')).rejects.toMatchObject(refused)
    expect(await keys.makeFreeKey(proof, '192.0.2.2')).toMatch(/^cb_/)
  })

  it('are renewed there as often as their wallets sign', async () => {
    for (let i = 0; i < 3; i += 1) {
      service.clock.ms += 1_000
      expect(await make(60, '192.0.2.1')).toMatch(/^cb_/)
    }
  })

  it('have places again after 30 days, and not before', async () => {
    service.clock.ms += 29 * day
    await service.sweep()
    await expect(make(61, '192.0.2.1')).rejects.toMatchObject(refused)
    service.clock.ms += day
    await service.sweep()
    expect(await make(61, '192.0.2.1')).toMatch(/^cb_/)
  })
})
