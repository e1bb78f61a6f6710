import { setImmediate } from 'node:timers/promises'
import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Owner, type RemoteWallet, startRemoteWallet } from '../../../../server/testing/remoteWallet.ts'
import { startWalletRelay, type WalletRelay } from '../../../../server/testing/walletRelay.ts'
import { canSendTogether, sendTogether } from '../batchCalls.ts'
import { openSession } from './openSession.ts'
import { createPairing, type PairingState } from './pairing.ts'
import { createSessionProvider, type SessionNews } from './sessionProvider.ts'
import { createMemoryStore, type Store } from './sessionStorage.ts'

// The site's side against WalletConnect's own client as the wallet, through a relay of this process.

const chainId = 31_337
/** Keys that every local test chain knows. */
const aliceKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const bobKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bob = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

let relay: WalletRelay
const relays: WalletRelay[] = []
const wallets: RemoteWallet[] = []
async function startRelay(): Promise<void> {
  relay = await startWalletRelay()
  relays.push(relay)
}
beforeAll(startRelay)
afterAll(async () => {
  await Promise.all(wallets.map((wallet) => wallet.stop()))
  await Promise.all(relays.map((each) => each.stop()))
})

async function startWallet(owner: Partial<Owner> = {}): Promise<RemoteWallet> {
  const wallet = await startRemoteWallet(relay.url, { privateKey: aliceKey, chains: [chainId], ...owner })
  wallets.push(wallet)
  return wallet
}

/** One load of the site in a browser with this storage. */
async function openSite(store: Store = createMemoryStore()) {
  const { pairing, desk } = createPairing('relay')
  const told: [string, unknown][] = []
  const onNews = (news: SessionNews) => hear(news)
  const session = await openSession({
    relay: { projectId: '0'.repeat(32), relayUrl: relay.url },
    site: { name: 'Board', origin: 'https://board.example' },
    chainId,
    desk,
    onNews,
    store,
  })
  const callNode = () => Promise.reject(new TypeError('no story asks the node'))
  const emit = (event: string, value: unknown) => told.push([event, value])
  const { provider, hear } = createSessionProvider({ session, callNode, ownChainId: chainId, emit })
  const request = (method: string, params: readonly unknown[] = []) => provider.request({ method, params })
  return { provider, request, pairing, told, store }
}

type Site = Awaited<ReturnType<typeof openSite>>

async function awaitState<K extends PairingState['kind']>({ pairing }: Site, kind: K) {
  await expect.poll(() => pairing.read().kind).toBe(kind)
  return pairing.read() as Extract<PairingState, { kind: K }>
}

/** Connects a wallet by the site's link. */
async function connect(site: Site, wallet: RemoteWallet): Promise<unknown> {
  const accounts = site.request('eth_requestAccounts')
  const { uri } = await awaitState(site, 'waiting')
  await wallet.pair(uri)
  return accounts
}

const keysOf = (store: Store) => Array.from({ length: store.length }, (_, place) => store.key(place))

describe('a session', () => {
  it('is paired by a link, signs, outlives a reload, and ends on both sides; the relay learns nothing of it', async () => {
    const wallet = await startWallet()
    const store = createMemoryStore()
    const site = await openSite(store)
    expect(relay.calls).toEqual([])
    expect(await connect(site, wallet)).toEqual([alice])
    expect(site.pairing.peerName()).toBe('Pocket')
    expect(wallet.siteOf()).toMatchObject({ name: 'Board', url: 'https://board.example' })
    const signature = await site.request('personal_sign', ['0x68656c6c6f', alice])
    expect(await verifyMessage({ address: alice, message: 'hello', signature: signature as `0x${string}` })).toBe(true)

    const reloaded = await openSite(store)
    expect(await reloaded.request('eth_accounts')).toEqual([alice])
    expect(await reloaded.request('personal_sign', ['0x68656c6c6f', alice])).toBe(signature)

    await reloaded.request('wallet_revokePermissions')
    await expect.poll(() => wallet.sessions()).toEqual([])
    expect(keysOf(store)).toEqual([])
    expect(await (await openSite(store)).request('eth_accounts')).toEqual([])

    const sentByAll = JSON.stringify(relay.calls.filter(({ params }) => !('tvf' in params)))
    for (const word of ['personal_sign', '31337', alice, 'board.example']) expect(sentByAll).not.toContain(word)
    // The wallet's own client names in the open what it answered to; ours does not name what it asked.
    const requests = relay.calls.filter(({ params }) => params['tag'] === 1108)
    expect(requests.map(({ params }) => params['tvf'])).toEqual([undefined, undefined])
  })

  it('ends when the wallet ends it', async () => {
    const wallet = await startWallet()
    const site = await openSite()
    await connect(site, wallet)
    site.told.length = 0
    await wallet.leave()
    await expect.poll(() => site.told).toEqual([['accountsChanged', []]])
    await expect.poll(() => keysOf(site.store)).toEqual([])
    expect(await site.request('eth_accounts')).toEqual([])
  })

  it('follows the wallet to another account, and to no account or chain that was not approved', async () => {
    const wallet = await startWallet({ chains: [chainId, 1] })
    const site = await openSite()
    await connect(site, wallet)
    site.told.length = 0
    await wallet.emit('accountsChanged', [`eip155:${chainId}:${bob}`], chainId)
    await wallet.update([chainId, 1], bob)
    await expect.poll(() => site.told).toEqual([['accountsChanged', [bob]]])
    await wallet.emit('chainChanged', 1, 1)
    await expect.poll(() => site.told.at(-1)).toEqual(['chainChanged', '0x1'])
    await wallet.update([chainId], bob)
    await expect.poll(() => site.told.at(-1)).toEqual(['chainChanged', '0x7a69'])
  })

  it('with a wallet that does not know our chain is on another one, which can still sign', async () => {
    const wallet = await startWallet({ chains: [1] })
    const site = await openSite()
    expect(await connect(site, wallet)).toEqual([alice])
    expect(await site.request('eth_chainId')).toBe('0x1')
    expect(await site.request('personal_sign', ['0x68656c6c6f', alice])).toMatch(/^0x[0-9a-f]{130}$/)
    await expect(site.request('eth_sendTransaction', [{ chainId: '0x7a69' }])).rejects.toThrow(/chainId/)
    expect(wallet.asked.map(({ method }) => method)).toEqual(['personal_sign'])
  })
})

describe('calls together', () => {
  const hash = `0x${'ab'.repeat(32)}`
  const call = { to: alice, data: '0x' } as const
  const sender = { address: alice, chainId }
  const clock = { wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)), nowMs: () => Date.now() }

  it('are sent where the wallet says that it does them (EIP-5792), and not asked for where it approved no such method', async () => {
    const answers: Readonly<Record<string, unknown>> = {
      wallet_getCapabilities: { '0x7a69': { atomic: { status: 'supported' } } },
      wallet_sendCalls: { id: '0x01' },
      wallet_getCallsStatus: { status: 200, receipts: [{ transactionHash: hash }] },
    }
    const answer: Owner['answer'] = async ({ method }) => ({ result: answers[method] })
    const smart = await startWallet({ methods: ['personal_sign', 'eth_sendTransaction', ...Object.keys(answers)], answer })
    const site = await openSite()
    await connect(site, smart)
    expect(await canSendTogether(site.provider, sender, clock)).toBe(true)
    expect(await sendTogether(site.provider, sender, [call, call], clock)).toEqual({ hash })
    expect(smart.asked.map(({ method }) => method)).toEqual(Object.keys(answers))

    const plain = await startWallet()
    const other = await openSite()
    await connect(other, plain)
    expect(await canSendTogether(other.provider, sender, clock)).toBe(false)
    expect(plain.asked).toEqual([])
  })
})

describe('a payment that the relay does not deliver in time', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
        shouldAdvanceTime: true,
      }),
  )
  afterEach(() => {
    relay.mend()
    relay.letGo()
    vi.useRealTimers()
  })
  const unreported = { code: -32099 }

  /** Lets time pass, and messages arrive meanwhile. */
  async function pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i += 1) {
      await vi.advanceTimersByTimeAsync(1_000)
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    }
  }

  async function openPaid() {
    const hash = `0x${'ab'.repeat(32)}`
    const answer: Owner['answer'] = async ({ method }) => ({ result: method === 'eth_sendTransaction' ? hash : '0x5160' })
    const wallet = await startWallet({ answer })
    const site = await openSite()
    await connect(site, wallet)
    const pay = async () => {
      const paid = site.request('eth_sendTransaction', [{ chainId: '0x7a69', to: alice, data: '0x' }])
      const outcome = paid.then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      )
      return { outcome }
    }
    const payments = () => wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')
    return { wallet, site, pay, payments, hash }
  }

  // The client gives up after a minute, and by then has begun to send again in several ways.
  it.each([55, 64])(
    'because it is cut is not sent after the page has said so, when the relay is back after %i s, and the next one is made once',
    async (seconds) => {
      const { site, pay, payments, hash } = await openPaid()
      relay.cut()
      const { outcome } = await pay()
      await pass(seconds)
      relay.mend()
      await pass(100 - seconds)
      const { result } = { result: undefined, ...(await outcome) }
      expect(payments()).toHaveLength(result === hash ? 1 : 0)
      if (result !== hash) expect(await outcome).toMatchObject({ error: unreported })
      const before = payments().length
      expect(await site.request('personal_sign', ['0x68656c6c6f', alice])).toBe('0x5160')
      expect(await (await pay()).outcome).toEqual({ result: hash })
      expect(payments()).toHaveLength(before + 1)
    },
  )

  it('because it is slow may have been made, and is made once, however often the client has sent it', async () => {
    const { pay, payments } = await openPaid()
    relay.hold()
    const before = relay.calls.length
    const { outcome } = await pay()
    await pass(75)
    expect(await outcome).toMatchObject({ error: unreported })
    expect(payments()).toEqual([])
    expect(relay.calls.slice(before).filter(({ params }) => params['tag'] === 1108).length).toBeGreaterThan(1)
    relay.letGo()
    await pass(60)
    expect(payments()).toHaveLength(1)
  })
})

describe('a pairing', () => {
  // Clients that were cut off from the one before may come back to it at any time.
  beforeAll(startRelay)

  it('that the wallet declines says so, and leaves nothing', async () => {
    const wallet = await startWallet()
    const site = await openSite()
    wallet.decline()
    await expect(connect(site, wallet)).rejects.toMatchObject({ code: 4001 })
    // The code that is used up is not shown to the next one.
    expect(site.pairing.read()).toEqual({ kind: 'opening' })
    await expect.poll(() => keysOf(site.store)).toEqual([])
    expect(await connect(site, wallet)).toEqual([alice])
    wallet.decline()
    await expect(site.request('personal_sign', ['0x68', alice])).rejects.toMatchObject({ code: 4001 })
  })

  it('that is cancelled ends all traffic, and no wallet can answer it any more', async () => {
    const before = relay.clients()
    const site = await openSite()
    const accounts = site.request('eth_requestAccounts')
    const { uri } = await awaitState(site, 'waiting')
    site.pairing.cancel()
    await expect(accounts).rejects.toMatchObject({ code: 4001 })
    await expect.poll(() => relay.clients()).toBe(before)
    expect(keysOf(site.store)).toEqual([])
    const late = await startWallet()
    await late.pair(uri)
    await expect.poll(() => late.sessions().length).toBe(1)
    expect(await site.request('eth_accounts')).toEqual([])
    expect(keysOf(site.store)).toEqual([])
  })

  it('is over with the first wallet: a stranger with a copied link comes too late', async () => {
    const [own, stranger] = [await startWallet(), await startWallet({ privateKey: bobKey, name: 'Stranger' })]
    const site = await openSite()
    const accounts = site.request('eth_requestAccounts')
    const { uri } = await awaitState(site, 'waiting')
    await own.pair(uri)
    expect(await accounts).toEqual([alice])
    site.told.length = 0
    await stranger.pair(uri)
    await site.request('personal_sign', ['0x68656c6c6f', alice])
    expect(await site.request('eth_accounts')).toEqual([alice])
    expect(site.told).toEqual([])
    expect(stranger.asked).toEqual([])
  })

  it('gets through a relay that sends garbage and ten megabytes, of which nothing is stored', async () => {
    const wallet = await startWallet()
    relay.turn('garbage')
    const site = await openSite()
    const accounts = site.request('eth_requestAccounts')
    const { uri } = await awaitState(site, 'waiting')
    const topic = /^wc:([0-9a-f]{64})@2/.exec(uri)?.[1]
    const data = { topic, tag: 1101, publishedAt: 1 }
    for (const message of ['A'.repeat(10_000_000), 'A'.repeat(400_000)])
      relay.shout(
        JSON.stringify({ jsonrpc: '2.0', id: 77, method: 'irn_subscription', params: { id: 'x', data: { ...data, message } } }),
      )
    relay.turn('fair')
    await wallet.pair(uri)
    expect(await accounts).toEqual([alice])
    const stored = keysOf(site.store).map((key) => site.store.getItem(key ?? '')?.length ?? 0)
    expect(Math.max(...stored)).toBeLessThan(200_001)
  })
})
