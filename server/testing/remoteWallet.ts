import { SignClient } from '@walletconnect/sign-client'
import { createWalletClient, type Hex, http } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

// A wallet's app on another device, made of WalletConnect's own client, whose owner the test plays.

type Call = { readonly method: string; readonly params: readonly unknown[] }
type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }
export type Owner = {
  readonly privateKey: Hex
  /** Chains that the wallet knows. */
  readonly chains: readonly number[]
  readonly rpcUrl?: string
  readonly name?: string
  readonly methods?: readonly string[]
  /** Answers what the wallet itself does not know; undefined leaves it to the wallet. */
  readonly answer?: (call: Call) => Promise<Answer> | undefined
}

const rejected = { code: 5000, message: 'User rejected.' }
const usualMethods = ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain']
const events = ['accountsChanged', 'chainChanged']

export type RemoteWallet = Awaited<ReturnType<typeof startRemoteWallet>>

export async function startRemoteWallet(relayUrl: string, owner: Owner) {
  const { name = 'Pocket', methods = usualMethods } = owner
  const account = privateKeyToAccount(owner.privateKey)
  const client = await SignClient.init({
    projectId: '0'.repeat(32),
    relayUrl,
    metadata: { name, description: name, url: 'https://pocket.example', icons: [] },
    storage: createMemory(),
    customStoragePrefix: crypto.randomUUID(),
    telemetryEnabled: false,
    logger: 'silent',
  })
  const asked: Call[] = []
  let declines = false
  const namespacesOf = (chains: readonly number[], address: string = account.address) => ({
    eip155: { accounts: chains.map((id) => `eip155:${id}:${address}`), methods: [...methods], events },
  })
  const topicOf = () => client.session.keys.at(-1) ?? ''

  client.on('session_proposal', async ({ id }) => {
    if (declines) {
      declines = false
      await client.reject({ id, reason: rejected })
    } else await client.approve({ id, namespaces: namespacesOf(owner.chains) })
  })
  client.on('session_request', async ({ id, topic, params }) => {
    const call: Call = { method: params.request.method, params: params.request.params }
    asked.push(call)
    const answered = await answer(call, { account, owner, declines })
    declines = false
    await client.respond({ topic, response: { id, jsonrpc: '2.0', ...answered } })
  })

  return {
    address: account.address,
    /** What sites asked of it, in order. */
    asked,
    pair: (uri: string) => client.pair({ uri }),
    /** The owner declines the next proposal or request. */
    decline() {
      declines = true
    },
    sessions: () => client.session.getAll(),
    /** What the site said of itself. */
    siteOf: () => client.session.get(topicOf()).peer.metadata,
    /** Approves other chains, or another account. */
    async update(chains: readonly number[], address?: string) {
      await client.update({ topic: topicOf(), namespaces: namespacesOf(chains, address) })
    },
    async emit(event: string, data: unknown, chainId: number) {
      await client.emit({ topic: topicOf(), event: { name: event, data }, chainId: `eip155:${chainId}` })
    },
    async leave() {
      await client.disconnect({ topic: topicOf(), reason: { code: 6000, message: 'User disconnected.' } })
    },
    async stop() {
      client.core.heartbeat.stop()
      client.core.relayer.transportOpen = async () => undefined
      await client.core.relayer.transportClose()
    },
  }
}

type Mind = { readonly account: PrivateKeyAccount; readonly owner: Owner; readonly declines: boolean }

async function answer(call: Call, { account, owner, declines }: Mind): Promise<Answer> {
  if (declines) return { error: rejected }
  const own = await owner.answer?.(call)
  if (own) return own
  const [first] = call.params
  if (call.method === 'personal_sign') return { result: await account.signMessage({ message: { raw: first as Hex } }) }
  if (call.method !== 'eth_sendTransaction') return { error: { code: 4200, message: 'Unsupported method' } }
  const { to, data } = first as { readonly to: Hex; readonly data: Hex }
  const node = createWalletClient({ account, transport: http(owner.rpcUrl) })
  return { result: await node.sendTransaction({ chain: null, to, data }) }
}

/** A storage that is gone with the process. */
function createMemory() {
  const entries = new Map<string, string>()
  const read = (key: string) => JSON.parse(entries.get(key) ?? 'null') ?? undefined
  return {
    getKeys: async () => [...entries.keys()],
    async getEntries<T>(): Promise<[string, T][]> {
      return [...entries.keys()].map((key) => [key, read(key)])
    },
    getItem: async <T>(key: string): Promise<T | undefined> => read(key),
    setItem: async <T>(key: string, value: T) => void entries.set(key, JSON.stringify(value)),
    removeItem: async (key: string) => void entries.delete(key),
  }
}
