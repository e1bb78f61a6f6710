import type { WireConfig } from '@chainboard/contract'
import { privateKeyToAccount } from 'viem/accounts'
import { type CallNode, createNodeCall } from '../../lib/callNode.ts'
import { fieldOf, isHex, textOf } from '../../lib/untrusted.ts'
import type { WalletPage, WalletProvider } from './discoverWallets.ts'

type Account = ReturnType<typeof privateKeyToAccount>
type Handler = (params: readonly unknown[]) => unknown

/** An error as EIP-1193 wants it. */
function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Announces one wallet for each key of the network file (EIP-6963). They are for test chains: they ask nothing and grant everything. */
export function announceDemoWallets(page: WalletPage, { demoWallets, chain }: Pick<WireConfig, 'demoWallets' | 'chain'>): void {
  const details = demoWallets.flatMap(({ name, privateKey }, index) => {
    if (!isHex(privateKey)) return []
    const account = privateKeyToAccount(privateKey)
    const info = { uuid: crypto.randomUUID?.() ?? `demo-${index}`, name, rdns: `board.demo.${index + 1}`, icon: toIcon(index) }
    return Object.freeze({
      info: Object.freeze(info),
      provider: createDemoProvider(account, chain.id, createNodeCall(chain.rpcUrl)),
    })
  })
  const announce = () => {
    for (const detail of details) page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}

/** A wallet of one account on one chain, which it never leaves: there are no events to tell. */
export function createDemoProvider(account: Account, chainId: number, call: CallNode): WalletProvider {
  const send = createSender(account, chainId, call)
  const own = `0x${chainId.toString(16)}`
  const requireOwn = (address: unknown) => {
    if (String(address).toLowerCase() !== account.address.toLowerCase()) throw refusal(4100, 'This account is not in this wallet')
  }
  const handlers: Readonly<Record<string, Handler>> = {
    eth_requestAccounts: () => [account.address],
    eth_accounts: () => [account.address],
    eth_chainId: () => own,
    wallet_revokePermissions: () => null,
    wallet_addEthereumChain: () => null,
    wallet_switchEthereumChain([wanted]) {
      if (Number(fieldOf(wanted, 'chainId')) === chainId) return null
      throw refusal(4902, 'The demo wallet works only on the test chain')
    },
    personal_sign([message, address]) {
      requireOwn(address)
      const text = String(message)
      return account.signMessage({ message: isHex(text) && text.length % 2 === 0 ? { raw: text } : text })
    },
    eth_signTypedData_v4([address, data]) {
      requireOwn(address)
      return account.signTypedData(typeof data === 'string' ? JSON.parse(data) : data)
    },
    eth_sendTransaction([transaction]) {
      const fields = toFields(transaction)
      if (fields['from'] !== undefined) requireOwn(fields['from'])
      return send(fields)
    },
  }
  return {
    async request({ method, params = [] }) {
      const handle = Object.hasOwn(handlers, method) ? handlers[method] : undefined
      return handle ? handle(params) : call(method, params)
    },
    on: () => undefined,
    removeListener: () => undefined,
  }
}

const hues = [28, 205, 145, 285, 85]

/** A flask on a hue of its own, so that nobody takes it for a wallet with money. */
function toIcon(index: number): string {
  const hue = hues[index % hues.length]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="hsl(${hue} 55% 34%)"/><path d="M13 7h6M14 7v6l-6 10a1.5 1.5 0 0 0 1.3 2.2h13.4A1.5 1.5 0 0 0 24 23l-6-10V7M10.5 20h11" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** `eth_sendTransaction`'s own: hexadecimal quantities. */
type Fields = Readonly<Record<string, string>>

const defaultTip = 1_000_000_000n
const gasLimitMax = 30_000_000n

/** The fields of a transaction that are text; others are not the specification's. */
function toFields(transaction: unknown): Fields {
  const fields = Object.entries(typeof transaction === 'object' && transaction !== null ? transaction : {})
  return Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

/** Fills in what a transaction lacks, signs it and hands it to the node. One after the other, so that no two get the same number. */
function createSender(account: Account, chainId: number, call: CallNode): (fields: Fields) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve()
  const readQuantity = async (method: string, params: readonly unknown[]) => BigInt(String(await call(method, params)))

  async function readFees(fields: Fields) {
    const baseFee = textOf(await call('eth_getBlockByNumber', ['latest', false]), 'baseFeePerGas') ?? '0x0'
    const tip = await readQuantity('eth_maxPriorityFeePerGas', []).catch(() => defaultTip)
    const maxPriorityFeePerGas = fields['maxPriorityFeePerGas'] ? BigInt(fields['maxPriorityFeePerGas']) : tip
    const maxFeePerGas = fields['maxFeePerGas'] ? BigInt(fields['maxFeePerGas']) : BigInt(baseFee) * 2n + maxPriorityFeePerGas
    return { maxFeePerGas, maxPriorityFeePerGas }
  }

  async function send(fields: Fields): Promise<unknown> {
    const { to, data = fields['input'], value = '0x0' } = fields
    const from = account.address
    const call_ = { from, value, ...(to && { to }), ...(data && { data }) }
    const [nonce, estimated, fees] = await Promise.all([
      readQuantity('eth_getTransactionCount', [from, 'pending']),
      fields['gas'] ? BigInt(fields['gas']) : readQuantity('eth_estimateGas', [call_]),
      readFees(fields),
    ])
    // A quarter more than estimated: the market may move between now and the block.
    const wanted = fields['gas'] ? estimated : (estimated * 5n) / 4n
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: Number(nonce),
      gas: wanted < gasLimitMax ? wanted : gasLimitMax,
      value: BigInt(value),
      ...fees,
      ...(isHex(to) && { to }),
      ...(isHex(data) && { data }),
    })
    return call('eth_sendRawTransaction', [signed])
  }

  return (fields) => {
    const next = last.then(() => send(fields))
    last = next.catch(() => undefined)
    return next
  }
}
