import type { PriceEvent } from '@chainboard/sdk'
import { addressesMax } from './messages.ts'

/** Wants of several tabs, and of a page that is being drawn, make one stream. */
const gatherMs = 300
/** A stream counts as a request of the visitor's address: no more than one in this time because of other tokens. */
const reopenMs = 10_000
/** After a refusal, doubled each time. */
const [refusedMs, refusedMsMax] = [60_000, 15 * 60_000]
/** A line that is mended sooner was not broken. */
const brokenMs = 1_500

type StreamOptions = {
  readonly addresses: readonly string[]
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
  /** Called before each try to connect: nothing comes until `ready`. */
  readonly onConnect: () => void
}

/** Prices of the server, until the signal ends them; throws when they are refused. */
export type OpenStream = (options: StreamOptions) => AsyncIterable<PriceEvent>

type LineListener = {
  /** Tokens that the stream is for. */
  readonly listWanted: () => ReadonlySet<string>
  readonly onEvent: (event: PriceEvent) => void
  /** What the line tells may be something else now. */
  readonly onState: () => void
}

export type PriceLine = {
  /** Sees soon whether another stream is needed, or none. */
  gather(): void
  /** Whether the server tells all of these tokens now. */
  tells(wanted: ReadonlySet<string>): boolean
}

/** The one stream to the server, for the tokens that are wanted. It is not open before `gather`. */
export function createPriceLine(openStream: OpenStream, { listWanted, onEvent, onState }: LineListener): PriceLine {
  /** `covered`: what was asked for; `told`: what the server has said that it tells. */
  const stream = { covered: new Set<string>(), told: new Set<string>(), isOpen: false, lastEventId: '' }
  const waits = createOpenWaits()
  let line: AbortController | undefined
  let gathering: ReturnType<typeof setTimeout> | undefined
  let breaking: ReturnType<typeof setTimeout> | undefined

  const covers = (wanted: ReadonlySet<string>) => [...wanted].every((address) => stream.covered.has(address))
  const setOpen = (isOpen: boolean) => {
    clearTimeout(breaking)
    stream.isOpen = isOpen
    onState()
  }
  const onConnect = () => {
    clearTimeout(breaking)
    breaking = setTimeout(() => setOpen(false), brokenMs)
  }
  const take = (event: PriceEvent) => {
    stream.lastEventId = event.id ?? stream.lastEventId
    const isReady = event.kind === 'ready'
    if (isReady) {
      waits.admitted()
      stream.told = stream.covered
    }
    onEvent(event)
    if (isReady) setOpen(true)
  }
  const follow = async (signal: AbortSignal) => {
    const options = { addresses: [...stream.covered], lastEventId: stream.lastEventId || undefined, signal, onConnect }
    await readStream(openStream, options, take)
    if (signal.aborted) return
    close()
    waits.refused()
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
    const wanted = listWanted()
    if (wanted.size === 0) return close()
    if (line && covers(wanted)) return onState()
    // The stream before goes on until the next one is ready, whose first event is the one after its last.
    line?.abort()
    line = new AbortController()
    stream.covered = new Set([...wanted].slice(0, addressesMax))
    waits.opened()
    void follow(line.signal)
  }
  const gather = () => {
    const waitMs = covers(listWanted()) ? gatherMs : Math.max(gatherMs, waits.leftMs())
    clearTimeout(gathering)
    gathering = setTimeout(open, waitMs)
  }

  return {
    gather,
    tells: (wanted) => stream.isOpen && [...wanted].every((address) => stream.told.has(address)),
  }
}

/** Resolves when the signal has ended the stream, or it was refused. */
async function readStream(openStream: OpenStream, options: StreamOptions, take: (event: PriceEvent) => void): Promise<void> {
  try {
    for await (const event of openStream(options)) {
      if (options.signal.aborted) return
      take(event)
    }
  } catch {
    // Refused: another try has to wait. The tabs poll meanwhile, as they do without a hub.
  }
}

/** How long another stream for other tokens has to wait. */
function createOpenWaits() {
  let untilMs = -Infinity
  let refusals = 0
  return {
    leftMs: () => untilMs - Date.now(),
    opened() {
      untilMs = Date.now() + reopenMs
    },
    admitted() {
      refusals = 0
    },
    refused() {
      untilMs = Date.now() + Math.min(refusedMsMax, refusedMs * 2 ** refusals)
      refusals += 1
    },
  }
}
