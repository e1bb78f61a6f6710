import { toDisplayText } from '@chainboard/core'
import { fieldOf, textOf } from '../../lib/untrusted.ts'
import type { Pairing } from './walletConnect/pairing.ts'

const walletsMax = 16
const nameCharsMax = 32
const idCharsMax = 128
const iconCharsMax = 200_000

/** The window, where wallets announce themselves (EIP-6963) or leave the one object that they did before there was EIP-6963. */
export type WalletPage = Pick<EventTarget, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'> & {
  readonly ethereum?: unknown
}

export type Discovery = {
  readonly list: () => readonly FoundWallet[]
  /** Calls back whenever there is a wallet more. */
  readonly onFound: (listener: () => void) => () => void
}

/** Asks for the function itself: wallets that are proxies answer `get`, but not `in`. A proxy of a function is one as well. */
function isProvider(value: unknown): value is WalletProvider {
  try {
    return typeof fieldOf(value, 'request') === 'function'
  } catch {
    // What throws when it is read is no wallet, and hides none of the others.
    return false
  }
}

/** Pictures come with the announcement; one to be fetched would tell its server who looks at the list. */
function readIcon(icon: unknown): string | undefined {
  const harmless = typeof icon === 'string' && icon.length <= iconCharsMax && /^data:image\/[a-z.+-]+[;,]/i.test(icon)
  return harmless ? icon : undefined
}

/** What any script of the page may have announced: `undefined` when it is no wallet. */
function parseAnnouncement(detail: unknown): FoundWallet | undefined {
  const info = fieldOf(detail, 'info')
  const provider = fieldOf(detail, 'provider')
  const [name, rdns] = [textOf(info, 'name'), textOf(info, 'rdns')]
  if (!isProvider(provider) || name === undefined || rdns === undefined) return undefined
  const shownIcon = readIcon(fieldOf(info, 'icon'))
  return {
    id: rdns.slice(0, idCharsMax),
    name: toDisplayText(name, 'Wallet', nameCharsMax),
    provider,
    ...(shownIcon && { icon: shownIcon }),
  }
}

/** Asks all wallets of the page to announce themselves, and listens for as long as the page lives. */
export function discoverWallets(page: WalletPage): Discovery {
  const announced: FoundWallet[] = []
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }

  page.addEventListener('eip6963:announceProvider', (event) => {
    const wallet = parseAnnouncement(fieldOf(event, 'detail'))
    if (!wallet || announced.length >= walletsMax || announced.some(({ provider }) => provider === wallet.provider)) return
    const namesakes = announced.filter(({ id }) => id === wallet.id || id.startsWith(`${wallet.id} `)).length
    announced.push(namesakes === 0 ? wallet : { ...wallet, id: `${wallet.id} ${namesakes + 1}` })
    tell()
  })
  page.addEventListener('ethereum#initialized', tell)
  page.dispatchEvent(new Event('eip6963:requestProvider'))

  return {
    list() {
      const { ethereum } = page
      const isNew = isProvider(ethereum) && announced.every(({ provider }) => provider !== ethereum)
      return isNew ? [...announced, { id: 'legacy', name: 'Browser wallet', provider: ethereum }] : [...announced]
    },
    onFound(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Waits until `isEnough` of the wallets, at most `patienceMs`; then whatever there is. */
export async function waitForWallets(
  { list, onFound }: Discovery,
  isEnough: (wallets: readonly FoundWallet[]) => boolean,
  patienceMs: number,
): Promise<readonly FoundWallet[]> {
  if (!isEnough(list()))
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        stop()
        resolve()
      }
      const timer = setTimeout(end, patienceMs)
      const stop = onFound(() => isEnough(list()) && end())
    })
  return list()
}

/** EIP-1193: what every browser wallet hands to a page. */
export type WalletProvider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** A wallet of this browser. Its words and its picture are already harmless. */
export type FoundWallet = {
  /** Differs between all wallets of a page, but not between loads of it. */
  readonly id: string
  readonly name: string
  /** A `data:` image. */
  readonly icon?: string
  readonly provider: WalletProvider
  /** Wallets on other devices, one of which answers a code first. */
  readonly pairing?: Pairing
}
