import { isSameHex } from '@chainboard/core'
import type { CallNode } from '../../../lib/callNode.ts'
import { fieldOf } from '../../../lib/untrusted.ts'
import type { WalletProvider } from '../discoverWallets.ts'
import { noSuchChain, notReported, readChainId, readErrorCode } from '../readAnswer.ts'
import { type Approved, readNamedAddress } from './readSession.ts'

/** A session with a wallet on another device. */
export type SessionPort = {
  /** What the wallet approved; undefined while there is no session. */
  readonly read: () => Approved | undefined
  /** Asks the wallet for something on a chain that it approved. @throws what it refuses with */
  readonly ask: (chainId: number, call: { readonly method: string; readonly params: readonly unknown[] }) => Promise<unknown>
  /** Pairs with a wallet, however long the visitor takes. @throws EIP-1193's 4001 when the wallet refuses or the visitor cancels */
  readonly pair: () => Promise<void>
  /** Ends the session on both sides. */
  readonly end: () => Promise<void>
  /** Calls back once what the wallet approved has changed, at most so many milliseconds later. */
  readonly awaitChange: (msMax: number) => Promise<void>
}

/** What the wallet tells of itself. */
export type SessionNews =
  /** What it approved is another now, or nothing. */
  { readonly kind: 'changed' } | { readonly kind: 'event'; readonly name: string; readonly data: unknown }

/** An error as EIP-1193 wants it. */
class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** What only the wallet can do. Everything else is read from the chain's node. */
export const walletMethods = [
  'personal_sign',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_getCapabilities',
  'wallet_sendCalls',
  'wallet_getCallsStatus',
] as const
const forWallet: ReadonlySet<string> = new Set(walletMethods)

/** WalletConnect's own codes for "the visitor said no": to the session, its chains, its methods or its events. */
const declinedCodes: ReadonlySet<number | undefined> = new Set([5000, 5001, 5002, 5003])
const declined = 4001
const unknownMethod = 4200
/** A wallet tells of a chain that it just approved a moment after it has answered. */
const approvalMsMax = 3_000

/** What a wallet answers; what it throws, with EIP-1193's code where WalletConnect has one of its own. */
async function inItsCodes<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw declinedCodes.has(readErrorCode(error)) ? new Refusal(declined, 'User rejected the request.') : error
  }
}

/** What pays. Where the wallet gives no answer, it may have paid all the same: nobody is told that nothing was sent. */
const paying: ReadonlySet<string> = new Set(['eth_sendTransaction', 'wallet_sendCalls'])

async function neverUnsaid<T>(method: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!paying.has(method) || readErrorCode(error) !== undefined) throw error
    throw new Refusal(notReported, 'The wallet has not reported the result')
  }
}

type Emit = (event: 'accountsChanged' | 'chainChanged', value: unknown) => void
type Deps = { readonly session: SessionPort; readonly callNode: CallNode; readonly ownChainId: number; readonly emit: Emit }
type Place = { readonly chainId: number; readonly address: string }

/** Where the wallet is, of the accounts and chains that it approved. It begins nowhere. */
function createPlace({ session, ownChainId, emit }: Omit<Deps, 'callNode'>) {
  let place: Place | undefined

  /** The place that is as near as possible to a wish, of those that the wallet approved. */
  function findPlace({ chainId, address }: Partial<Place>): Place | undefined {
    const accounts = session.read()?.accounts ?? []
    const on = (id: number | undefined) => accounts.filter((account) => account.chainId === id)
    const [here = []] = [on(chainId), on(ownChainId), accounts].filter((each) => each.length > 0)
    return here.find((account) => isSameHex(account.address, address)) ?? here[0]
  }

  return {
    read: () => place,
    isApproved: (chainId: number) => session.read()?.accounts.some((account) => account.chainId === chainId) ?? false,
    /** Moves where it is wished for, or stays as near as it may. */
    moveTo(wish: Partial<Place>): void {
      const before = place
      place = findPlace({ ...before, ...wish })
      if (place?.address !== before?.address) emit('accountsChanged', place ? [place.address] : [])
      if (place && place.chainId !== before?.chainId) emit('chainChanged', toHex(place.chainId))
    },
  }
}

/**
 * The wallet at the other end of a session as an EIP-1193 wallet. It is on our chain where it approved that, and has no account or chain that
 * it did not approve, whatever its events say.
 */
export function createSessionProvider({ session, callNode, ...deps }: Deps) {
  const { read, isApproved, moveTo } = createPlace({ session, ...deps })
  const listAccounts = () => {
    moveTo({})
    return [read()?.address ?? []].flat()
  }

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const place = read()
    if (!place || !session.read()?.methods.has(method)) throw new Refusal(unknownMethod, `The wallet did not allow ${method}`)
    // A transaction names its chain: the wallet must not send it on another one.
    const named = method === 'eth_sendTransaction' ? readChainId(fieldOf(params[0], 'chainId')) : 0
    if (named && !isApproved(named)) throw new Refusal(noSuchChain, `The wallet did not approve chainId ${named}`)
    return inItsCodes(neverUnsaid(method, session.ask(named || place.chainId, { method, params })))
  }

  /** Every request names its chain, so that to come to one that is approved nobody has to be asked. */
  async function comeTo(chainId: number, method: string, params: readonly unknown[]): Promise<null> {
    if (!isApproved(chainId)) {
      await ask(method, params)
      if (!isApproved(chainId)) await session.awaitChange(approvalMsMax)
    }
    if (isApproved(chainId)) moveTo({ chainId })
    return null
  }

  const provider: Pick<WalletProvider, 'request'> = {
    async request({ method, params = [] }) {
      switch (method) {
        case 'eth_requestAccounts':
          if (!session.read()) await inItsCodes(session.pair())
          return listAccounts()
        case 'eth_accounts':
          return listAccounts()
        case 'eth_chainId':
          return toHex(read()?.chainId ?? 0)
        case 'wallet_revokePermissions':
          await session.end()
          return null
        case 'wallet_switchEthereumChain':
        case 'wallet_addEthereumChain':
          return comeTo(readChainId(fieldOf(params[0], 'chainId')), method, params)
        default:
          return forWallet.has(method) ? ask(method, params) : callNode(method, params)
      }
    },
  }

  return {
    provider,
    hear(news: SessionNews): void {
      if (news.kind === 'changed') moveTo({})
      else if (news.name === 'chainChanged') {
        const chainId = readChainId(news.data)
        if (isApproved(chainId)) moveTo({ chainId })
      } else if (news.name === 'accountsChanged') {
        const address = readNamedAddress(news.data)
        if (address !== undefined) moveTo({ address })
      }
    },
  }
}

const toHex = (id: number) => `0x${id.toString(16)}`
