import type { Price, PriceEvent } from '@chainboard/sdk'
import { addressesMax, type HubWord } from './messages.ts'

/** A tab as the hub knows it: what it shows, and what it is owed. */
export type HubTab = {
  /** Tokens that it shows, in lower case. */
  wanted(): ReadonlySet<string>
  want(addresses: readonly string[]): void
  /**
   * Takes up what the server says, and says on prices of the tab. After `ready` it says nothing by itself: see `sayState`.
   * @returns whether the tab has to read again what it shows: see `readAgain`
   */
  take(event: PriceEvent): boolean
  /** Lets the tab read again, if it has to. */
  readAgain(): void
  /** Says a word, empty where nothing is new. */
  say(): void
  /** Says whether prices come, where the tab does not know it yet. */
  sayState(): void
  /** The tab has taken the last word. */
  goOn(): void
}

/**
 * Owes the tab the newest price of each token until its last word was taken: a tab that stands still does not let words pile up.
 * @param tells whether the server tells all of these tokens now
 */
export function createHubTab(post: (word: HubWord) => void, tells: (wanted: ReadonlySet<string>) => boolean): HubTab {
  let wanted: ReadonlySet<string> = new Set()
  let prices = new Map<string, Price>()
  let reread = false
  /** It is to read again soon. */
  let owesReread = false
  let live = false
  const word = { isTaken: true, isDue: false }

  const say = () => {
    word.isDue = !word.isTaken
    if (word.isDue) return
    word.isTaken = false
    live = tells(wanted)
    const owed = [...prices.values()]
    // Until it is told all that it shows, a tab reads again all the time.
    const rereadNow = reread && live
    prices = new Map()
    if (live) reread = false
    if (rereadNow) owesReread = false
    post({ prices: owed, live, reread: rereadNow })
  }
  const sayState = () => {
    const isLive = tells(wanted)
    if (live !== isLive || (reread && isLive)) say()
  }
  const isWanted = (address: string) => wanted.has(address.toLowerCase())
  return {
    wanted: () => wanted,
    want(addresses) {
      const before = wanted
      wanted = new Set(addresses.slice(0, addressesMax))
      // What changed while nobody showed it was not told.
      if ([...wanted].some((address) => !before.has(address))) reread = true
      for (const address of prices.keys()) if (!wanted.has(address)) prices.delete(address)
    },
    take(event) {
      if (event.kind !== 'price') {
        const isOwed = event.kind === 'ready' ? !event.data.resumed : event.data.addresses.some(isWanted)
        owesReread ||= isOwed
        return isOwed
      }
      if (isWanted(event.data.address)) {
        prices.set(event.data.address.toLowerCase(), event.data)
        say()
      }
      return false
    },
    readAgain() {
      reread ||= owesReread
      owesReread = false
      sayState()
    },
    say,
    sayState,
    goOn() {
      word.isTaken = true
      if (word.isDue) say()
    },
  }
}
