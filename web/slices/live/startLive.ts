import { listShown, publishPrices, rereadShown, setStreamed, subscribeToShown } from '../../token/liveTokens.ts'
import { beatMs } from './hub.ts'
import { type HubLine, joinLeader } from './leaderHub.ts'
import { addressesMax, isHubWord, type TabWord } from './messages.ts'

/** Without a word for so long the hub is dead, or its tab stands still. */
const silenceMs = 2.5 * beatMs
/** What a page shows is told once it is drawn. */
const drawnMs = 200

/**
 * Follows the prices of what is on screen through one stream of the whole browser. Where that cannot be had, or nothing comes, the tokens
 * are polled as without it.
 */
export function startLive(): void {
  if (!('locks' in navigator)) return
  const tab = crypto.randomUUID()
  let connections = 0
  let line: HubLine | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let telling: ReturnType<typeof setTimeout> | undefined
  const send = (word: TabWord) => line?.send(word)
  const tell = () => {
    clearTimeout(telling)
    telling = setTimeout(() => {
      const addresses = document.visibilityState === 'visible' ? listShown().slice(0, addressesMax) : []
      send({ kind: 'want', addresses })
    }, drawnMs)
  }
  const onWord = (word: unknown) => {
    if (!isHubWord(word)) return
    clearTimeout(silence)
    silence = setTimeout(connect, silenceMs)
    publishPrices(word.prices)
    setStreamed(word.live && document.visibilityState === 'visible')
    if (word.reread) rereadShown()
    send({ kind: 'taken' })
  }
  const disconnect = () => {
    line?.close()
    line = undefined
    setStreamed(false)
    clearTimeout(silence)
    connections += 1
  }
  const connect = () => {
    disconnect()
    const own = connections
    const name = `live-prices ${tab} ${own}`
    // Held as long as this connection lives, whatever ends it: so the hub knows. The hub hears its name once it is held.
    void navigator.locks.request(name, () => {
      if (own !== connections) return undefined
      const opened = shareWorker(name, onWord) ?? ('BroadcastChannel' in window ? joinLeader(name, onWord, tell) : undefined)
      if (!opened) return undefined
      silence = setTimeout(connect, silenceMs)
      tell()
      return new Promise<void>((release) => {
        line = {
          send: opened.send,
          close: () => {
            opened.close()
            release()
          },
        }
      })
    })
  }
  subscribeToShown(tell)
  document.addEventListener('visibilitychange', tell)
  // A browser may let go of the lock of a page that it keeps for a visitor who comes back, or not keep it because of the lock.
  addEventListener('pagehide', disconnect)
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    connect()
    rereadShown()
  })
  connect()
}

/** @returns undefined where no worker can be shared */
function shareWorker(name: string, onWord: (word: unknown) => void): HubLine | undefined {
  if (!('SharedWorker' in window)) return undefined
  try {
    const { port } = new SharedWorker(new URL('./liveWorker.ts', import.meta.url), { type: 'module', name: 'live-prices' })
    port.addEventListener('message', ({ data }) => onWord(data))
    port.start()
    port.postMessage(name)
    return { send: (word) => port.postMessage(word), close: () => port.close() }
  } catch {
    return undefined // refused by the browser's settings
  }
}
