import type { Price, PriceEvent } from '@chainboard/sdk'
import { addressesMax, type HubWord, isTabWord } from './messages.ts'

/** A word is said so often at the least: who hears nothing for longer takes the hub for dead. */
export const beatMs = 10_000
/** Wants of several tabs, and of a page that is being drawn, make one stream. */
const gatherMs = 300
/** A stream counts as a request of the visitor's address: no more than one in this time because of other tokens. */
const reopenMs = 10_000
/** After a refusal, doubled each time. */
const [refusedMs, refusedMsMax] = [60_000, 15 * 60_000]
/** A restart or a reorg tells all browsers at once to read again: each waits for a part of this, as long as a poll takes to come round. */
const rereadMsMax = 5_000
/** A line that is mended sooner was not broken. */
const brokenMs = 1_500
const tabsMax = 200

type StreamOptions = {
  readonly addresses: readonly string[]
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
  /** Called before each try to connect: nothing comes until `ready`. */
  readonly onConnect: () => void
}

/** Prices of the server, until the signal ends them; throws when they are refused. */
export type OpenStream = (options: StreamOptions) => AsyncIterable<PriceEvent>

type Tab = {
  readonly post: (word: HubWord) => void
  wanted: ReadonlySet<string>
  /** What is to be said, once the last word was taken: a tab that stands still does not let words pile up. */
  prices: Map<string, Price>
  reread: boolean
  /** It is to read again soon. */
  owesReread: boolean
  live: boolean
  /** The tab has not yet taken the last word. */
  isBusy: boolean
  isDue: boolean
}

export type HubTab = { receive(word: unknown): void; leave(): void }

/**
 * One stream of prices for all tabs of a browser. Prices are public: it is opened without cookies, and knows no user.
 * @param random at least 0, less than 1
 */
export function createHub(
  openStream: OpenStream,
  random: () => number = Math.random,
): { join(post: (word: HubWord) => void): HubTab | undefined } {
  const tabs = new Set<Tab>()
  /** `covered`: what was asked for; `told`: what the server has said that it tells. */
  const stream = {
    covered: new Set<string>(),
    told: new Set<string>(),
    isOpen: false,
    openedAtMs: -Infinity,
    refusals: 0,
    lastEventId: '',
  }
  let line: AbortController | undefined
  let gathering: ReturnType<typeof setTimeout> | undefined
  let breaking: ReturnType<typeof setTimeout> | undefined
  let rereading: ReturnType<typeof setTimeout> | undefined
  let beating: ReturnType<typeof setInterval> | undefined

  const isLive = ({ wanted }: Tab) => stream.isOpen && [...wanted].every((address) => stream.told.has(address))
  const say = (tab: Tab) => {
    tab.isDue = true
    if (tab.isBusy) return
    tab.isDue = false
    tab.isBusy = true
    tab.live = isLive(tab)
    const { prices, live } = tab
    // Until it is told all that it shows, a tab reads again all the time.
    const reread = tab.reread && live
    tab.prices = new Map()
    if (live) tab.reread = false
    if (reread) tab.owesReread = false
    tab.post({ prices: [...prices.values()], live, reread })
  }
  const sayState = () => {
    for (const tab of tabs) if (tab.live !== isLive(tab) || (tab.reread && isLive(tab))) say(tab)
  }
  const rereadSoon = (concerns: (tab: Tab) => boolean) => {
    for (const tab of tabs) if (concerns(tab)) tab.owesReread = true
    if (rereading !== undefined) return
    rereading = setTimeout(() => {
      rereading = undefined
      for (const tab of tabs) {
        if (tab.owesReread) tab.reread = true
        tab.owesReread = false
      }
      sayState()
    }, random() * rereadMsMax)
  }
  const setOpen = (isOpen: boolean) => {
    clearTimeout(breaking)
    stream.isOpen = isOpen
    sayState()
  }
  const take = (event: PriceEvent) => {
    stream.lastEventId = event.id ?? stream.lastEventId
    if (event.kind === 'ready') {
      stream.refusals = 0
      stream.told = stream.covered
      if (!event.data.resumed) rereadSoon(() => true)
      return setOpen(true)
    }
    if (event.kind === 'retracted') {
      const { addresses } = event.data
      return rereadSoon(({ wanted }) => addresses.some((address) => wanted.has(address.toLowerCase())))
    }
    const address = event.data.address.toLowerCase()
    for (const tab of tabs) {
      if (!tab.wanted.has(address)) continue
      tab.prices.set(address, event.data)
      say(tab)
    }
  }
  const follow = async (signal: AbortSignal) => {
    const onConnect = () => {
      clearTimeout(breaking)
      breaking = setTimeout(() => setOpen(false), brokenMs)
    }
    const options = { addresses: [...stream.covered], lastEventId: stream.lastEventId || undefined, signal, onConnect }
    try {
      for await (const event of openStream(options)) {
        if (signal.aborted) return
        take(event)
      }
    } catch {
      // Refused: another try has to wait. The tabs poll meanwhile, as they do without a hub.
    }
    if (signal.aborted) return
    close()
    const waitMs = Math.min(refusedMsMax, refusedMs * 2 ** stream.refusals)
    stream.refusals += 1
    stream.openedAtMs = Date.now() + waitMs - reopenMs
    gather()
  }
  const close = () => {
    line?.abort()
    line = undefined
    setOpen(false)
    stream.covered = new Set()
  }
  const open = () => {
    gathering = undefined
    const wanted = new Set([...tabs].flatMap((tab) => [...tab.wanted]))
    if (wanted.size === 0) return close()
    if (line && [...wanted].every((address) => stream.covered.has(address))) return sayState()
    // The stream before goes on until the next one is ready, whose first event is the one after its last.
    line?.abort()
    line = new AbortController()
    stream.covered = new Set([...wanted].slice(0, addressesMax))
    stream.openedAtMs = Date.now()
    void follow(line.signal)
  }
  const gather = () => {
    const isNeeded = [...tabs].some(({ wanted }) => [...wanted].some((address) => !stream.covered.has(address)))
    const waitMs = isNeeded ? Math.max(gatherMs, stream.openedAtMs + reopenMs - Date.now()) : gatherMs
    clearTimeout(gathering)
    gathering = setTimeout(open, waitMs)
  }
  const leave = (tab: Tab) => {
    if (!tabs.delete(tab)) return
    gather()
    if (tabs.size > 0) return
    clearInterval(beating)
    beating = undefined
  }

  return {
    join(post) {
      if (tabs.size >= tabsMax) return undefined
      const nothing = { reread: false, owesReread: false, live: false, isBusy: false, isDue: false }
      const tab: Tab = { post, wanted: new Set(), prices: new Map(), ...nothing }
      tabs.add(tab)
      beating ??= setInterval(() => {
        for (const each of tabs) say(each)
      }, beatMs)
      return {
        receive(word) {
          if (!isTabWord(word) || !tabs.has(tab)) return
          if (word.kind === 'want') {
            const before = tab.wanted
            tab.wanted = new Set(word.addresses.slice(0, addressesMax))
            // What changed while nobody showed it was not told.
            if ([...tab.wanted].some((address) => !before.has(address))) tab.reread = true
            for (const address of tab.prices.keys()) if (!tab.wanted.has(address)) tab.prices.delete(address)
            gather()
          } else {
            tab.isBusy = false
            if (tab.isDue) say(tab)
          }
        },
        leave: () => leave(tab),
      }
    },
  }
}
