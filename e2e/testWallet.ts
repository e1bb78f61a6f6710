import type { Page } from '@playwright/test'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Keys that every local test chain knows. They stay outside of the browser. */
const keys = {
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8': '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266': '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC': '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
} as const

export type TestAccount = keyof typeof keys
export const alice: TestAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const bob: TestAccount = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Whose free keys are no other test's. */
export const carol: TestAccount = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

export const devnetId = 31_337

/** An account that is a contract: how it signs, and does several calls in one transaction. */
export type SmartAccount = {
  readonly address: `0x${string}`
  readonly sign: () => `0x${string}`
  /** @returns the hash of the transaction */
  readonly doTogether: (calls: readonly Readonly<Record<string, string>>[]) => Promise<string>
}

type Options = {
  readonly name?: string
  readonly rdns?: string
  readonly chainId?: number
  /** Whose it is; Alice's when absent. */
  readonly account?: TestAccount
  /** How the wallet makes itself known: by EIP-6963, as `window.ethereum`, or both. */
  readonly shows?: 'announced' | 'legacy' | 'both'
  /** The page gets a proxy with a `get` trap alone, as some wallets give it: `'request' in provider` is false. */
  readonly isProxy?: boolean
  /** Its account is a contract, and it does several calls together (EIP-5792). */
  readonly smart?: SmartAccount
}

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

/** A browser wallet whose visitor the test plays. */
export type TestWallet = {
  /** Methods it was asked, in order; not the reads. */
  readonly asked: string[]
  /** Transactions it was asked to send, as the page gave them. */
  readonly sent: Readonly<Record<string, string>>[]
  /** What it was told about chains that it did not know. */
  readonly added: unknown[]
  /** Decline the next request that needs the visitor. */
  decline(): void
  /** Leave requests that need the visitor open until the returned function answers them. */
  hold(): () => void
  /** Waits until an answer to `method` has reached the page. */
  answered(method: string): Promise<void>
  changeAccount(account: TestAccount | undefined): Promise<void>
  changeChain(chainId: number): Promise<void>
  /** Say `disconnect`, as wallets do that lost their node. */
  loseNode(): Promise<void>
  /** `method` fails from now on. */
  breakMethod(method: string): void
}

/** What the wallet knows, and what its visitor has decided. */
type Mind = {
  readonly rpcUrl: string
  readonly asked: string[]
  readonly sent: Readonly<Record<string, string>>[]
  readonly added: unknown[]
  readonly broken: Set<string>
  readonly chains: Set<number>
  chainId: number
  account: TestAccount | undefined
  permitted: boolean
  declines: boolean
  held: Promise<void> | undefined
  readonly smart: SmartAccount | undefined
  readonly emit: (event: string, value: unknown) => Promise<void>
}

const toHex = (id: number) => `0x${id.toString(16)}`
const accountsOf = ({ permitted, account, smart }: Mind) =>
  permitted && account ? [(smart?.address ?? account).toLowerCase()] : []

/** Puts a wallet into every page that is opened after this. `rpcUrl` is the node it reads from and sends to. */
export async function installWallet(page: Page, rpcUrl: string, options: Options = {}): Promise<TestWallet> {
  const {
    name = 'Test Fox',
    rdns = 'example.fox',
    shows = 'announced',
    chainId = devnetId,
    account = alice,
    isProxy = false,
    smart,
  } = options
  const mind: Mind = {
    rpcUrl,
    asked: [],
    sent: [],
    added: [],
    broken: new Set(),
    chains: new Set([chainId, 1]),
    chainId,
    account,
    permitted: false,
    declines: false,
    held: undefined,
    smart,
    emit: (event, value) =>
      page.evaluate(([type, detail]) => void dispatchEvent(new CustomEvent(type, { detail })), [
        `${rdns}:${event}`,
        value,
      ] as const),
  }
  await page.exposeFunction(`ask ${rdns}`, (method: string, params: readonly unknown[]) => answer(mind, method, params))
  await page.addInitScript(putIntoPage, { name, rdns, shows, isProxy })
  return {
    asked: mind.asked,
    sent: mind.sent,
    added: mind.added,
    decline() {
      mind.declines = true
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      mind.held = promise
      return () => {
        mind.held = undefined
        resolve()
      }
    },
    async answered(method) {
      await page.waitForFunction((key) => key in window, `answered ${rdns} ${method}`)
    },
    async changeAccount(next) {
      mind.account = next
      await mind.emit('accountsChanged', accountsOf(mind))
    },
    async changeChain(id) {
      mind.chains.add(id)
      await move(mind, id)
    },
    loseNode: () => mind.emit('disconnect', { code: 1013 }),
    breakMethod(method) {
      mind.broken.add(method)
    },
  }
}

const forVisitor = /^(eth_requestAccounts|wallet_.*|personal_sign|eth_sendTransaction)$/

async function answer(mind: Mind, method: string, params: readonly unknown[]): Promise<Answer> {
  if (mind.broken.has(method)) return { error: { code: -32_603, message: 'Internal error' } }
  if (method === 'wallet_getCapabilities') {
    if (mind.smart) return { result: { [toHex(mind.chainId)]: { atomic: { status: 'supported' } } } }
    return { error: { code: 4200, message: 'Unsupported method' } }
  }
  // The id of calls that were sent is the hash of their transaction.
  if (method === 'wallet_getCallsStatus') return { result: { status: 200, receipts: [{ transactionHash: params[0] }] } }
  if (forVisitor.test(method)) return answerVisitor(mind, method, params)
  if (method === 'eth_accounts') return { result: accountsOf(mind) }
  if (method === 'eth_chainId') return { result: toHex(mind.chainId) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(mind.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await response.json()) as Answer
}

async function move(mind: Mind, id: number): Promise<Answer> {
  if (!mind.chains.has(id)) return { error: { code: 4902, message: 'Unrecognized chain ID' } }
  if (mind.chainId !== id) {
    mind.chainId = id
    await mind.emit('chainChanged', toHex(id))
  }
  return { result: null }
}

async function answerVisitor(mind: Mind, method: string, params: readonly unknown[]): Promise<Answer> {
  mind.asked.push(method)
  if (method === 'eth_sendTransaction') mind.sent.push(params[0] as Readonly<Record<string, string>>)
  await mind.held
  if (mind.declines) {
    mind.declines = false
    return { error: { code: 4001, message: 'User rejected the request.' } }
  }
  const wanted = Number((params[0] as { chainId?: string } | undefined)?.chainId)
  switch (method) {
    case 'eth_requestAccounts':
      mind.permitted = true
      return { result: accountsOf(mind) }
    case 'wallet_revokePermissions':
      mind.permitted = false
      return { result: null }
    case 'wallet_sendCalls':
      return doTogether(mind, params[0])
    case 'wallet_switchEthereumChain':
      return move(mind, wanted)
    case 'wallet_addEthereumChain':
      mind.added.push(params[0])
      mind.chains.add(wanted)
      return move(mind, wanted)
    default:
      return sign(mind, method, params[0])
  }
}

async function doTogether({ smart, sent }: Mind, wish: unknown): Promise<Answer> {
  const { calls } = wish as { calls: readonly Readonly<Record<string, string>>[] }
  if (!smart) return { error: { code: 4200, message: 'Unsupported method' } }
  sent.push(...calls)
  return { result: { id: await smart.doTogether(calls) } }
}

/** `personal_sign` of a text in hexadecimal, or `eth_sendTransaction`. */
async function sign({ account, smart, rpcUrl }: Mind, method: string, what: unknown): Promise<Answer> {
  if (!account) return { error: { code: 4100, message: 'No account' } }
  if (smart && method === 'personal_sign') return { result: smart.sign() }
  const signer = privateKeyToAccount(keys[account])
  if (method === 'personal_sign') return { result: await signer.signMessage({ message: { raw: what as `0x${string}` } }) }
  const { to, data, value = '0x0' } = what as { to?: `0x${string}`; data?: `0x${string}`; value?: string }
  const client = createWalletClient({ account: signer, transport: http(rpcUrl) })
  const fields = { chain: null, value: BigInt(value), ...(to && { to }), ...(data && { data }) }
  return { result: await client.sendTransaction(fields) }
}

/** Runs in the browser: an EIP-1193 object that asks the test, announced as wallets do. */
function putIntoPage({ name, rdns, shows, isProxy }: { name: string; rdns: string; shows: string; isProxy: boolean }): void {
  type Ask = (
    method: string,
    params: readonly unknown[],
  ) => Promise<{ result?: unknown; error?: { code: number; message: string } }>
  const ask = (window as unknown as Record<string, Ask>)[`ask ${rdns}`]
  const listeners = new Map<(value: unknown) => void, (event: Event) => void>()
  const wallet = {
    async request({ method, params = [] }: { method: string; params?: readonly unknown[] }) {
      const answer = await ask?.(method, params)
      Object.assign(window, { [`answered ${rdns} ${method}`]: true })
      if (answer?.error) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
      return answer?.result
    },
    on(event: string, listener: (value: unknown) => void) {
      const heard = (told: Event) => listener((told as CustomEvent<unknown>).detail)
      listeners.set(listener, heard)
      addEventListener(`${rdns}:${event}`, heard)
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      const heard = listeners.get(listener)
      if (heard) removeEventListener(`${rdns}:${event}`, heard)
    },
  }
  const provider = isProxy ? new Proxy({}, { get: (_, key) => Reflect.get(wallet, key) }) : wallet
  if (shows !== 'announced') Object.assign(window, { ethereum: provider })
  if (shows === 'legacy') return
  const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="teal"/></svg>')}`
  const detail = Object.freeze({ info: Object.freeze({ uuid: crypto.randomUUID(), name, rdns, icon }), provider })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}
