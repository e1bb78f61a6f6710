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
      act: () => Promise.reject(new Error('no operator acts here')),
      twoOwnersDelete: false,
      isOwner: () => true,
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
      'Your address reached its limit: 50 free keys created from it are in use. Use a key that you have, or contact the operator of this site',
  }
  const use = async (key: string) => {
    const spent = await service.gate.spend(key, '')
    return spent.ok ? 'ok' : `${spent.refusal.code}${spent.refusal.asleep ? ' asleep' : ''}`
  }
  const made: string[] = []

  it('are fifty, also when they are wanted at once; another address has its own, and the message stays good', async () => {
    const all = await Promise.allSettled(Array.from({ length: 52 }, (_, place) => make(place, '192.0.2.1')))
    made.push(...all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
    expect(made).toHaveLength(50)
    const failures = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
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

  it('are two hundred within a network', async () => {
    for (const [from, count] of [
      [100, 49],
      [200, 50],
      [300, 50],
    ] as const)
      for (let i = 0; i < count; i += 1) await make(from + i, `192.0.2.${from / 100 + 1}`)
    await expect(make(400, '192.0.2.99')).rejects.toMatchObject({
      code: 'too-many-attempts',
      message: expect.stringMatching(/^Your network reached its limit: 200 free keys/),
    })
    expect(await make(400, '192.0.3.1')).toMatch(/^cb_/)
  })

  it('sleep when nobody has used them for 30 days, and stay awake with each use', async () => {
    const [used = '', unused = ''] = made
    service.clock.ms += 29 * day
    await expect(make(61, '192.0.2.1')).rejects.toMatchObject(refused)
    expect(await use(used)).toBe('ok')
    await service.tick()
    service.clock.ms += day
    expect([await use(unused), await use(used)]).toEqual(['KEY_INACTIVE asleep', 'ok'])
    // What sleeps counts for nobody.
    expect(await make(61, '192.0.2.1')).toMatch(/^cb_/)
    service.clock.ms += 29 * day
    expect(await use(used)).toBe('ok')
  })

  it('wake with a signature, at the address that wakes them, as far as that one has places', async () => {
    const wallets = Array.from({ length: 50 }, (_, i) => 500 + i)
    for (const place of wallets) await make(place, '198.51.100.1')
    await expect(make(101, '198.51.100.1')).rejects.toMatchObject(refused)
    expect(await use(await make(101, '198.51.101.1'))).toBe('ok')
  })

  it('are used where they were cached as asleep, when another server has seen them used', async () => {
    const other = createTestKeys(store, service.clock.ms)
    const key = await make(700, '203.0.113.1')
    const spend = async () => {
      const spent = await other.gate.spend(key, '')
      return spent.ok ? 'ok' : spent.refusal
    }
    expect(await spend()).toBe('ok')
    service.clock.ms += 29 * day
    expect(await use(key)).toBe('ok')
    service.clock.ms += 61_000
    await service.tick()
    other.clock.ms += 40 * day
    expect(await spend()).toBe('ok')
    other.clock.ms += 40 * day
    expect(await spend()).toEqual({ code: 'KEY_INACTIVE', asleep: true })
  })
})
