import { createHub, type HubSeat } from './hub.ts'
import { openStream } from './openStream.ts'

const channelName = 'live-prices'
const leaderLock = 'live-prices-leader'

/** What is said on the channel. Without `to` it is for the leader. */
type Letter = { readonly from: string; readonly to?: string; readonly word: unknown }

export type HubLine = { readonly send: (word: unknown) => void; readonly close: () => void }

/**
 * The hub where no worker can be shared: in one of the tabs, which the others reach by a channel. It is the one that has a lock; when it
 * closes, the browser gives the lock to the next one. A tab with a lock is not frozen in the background.
 * @param name of this tab, and of the lock that it holds @param onLeader another tab has the hub now, and knows of nobody
 */
export function joinLeader(name: string, onWord: (word: unknown) => void, onLeader: () => void): HubLine {
  const channel = new BroadcastChannel(channelName)
  const ending = new AbortController()
  let lead: ((letter: Letter) => void) | undefined
  const send = (word: unknown) => {
    const letter = { from: name, word }
    if (lead) lead(letter)
    else channel.postMessage(letter)
  }
  channel.addEventListener('message', ({ data }) => {
    if (!isLetter(data)) return
    if (data.to === name) onWord(data.word)
    else if (data.to === '*') onLeader()
    else if (data.to === undefined) lead?.(data)
  })
  void navigator.locks
    .request(leaderLock, { signal: ending.signal }, async () => {
      const tabs = new Map<string, HubSeat>()
      const hub = createHub(openStream)
      lead = ({ from, word }) => {
        const known = tabs.get(from)
        const tab =
          known ?? hub.join((said) => (from === name ? onWord(said) : channel.postMessage({ from: name, to: from, word: said })))
        if (!tab) return
        if (!known) {
          tabs.set(from, tab)
          if (from !== name)
            void navigator.locks
              .request(from, { signal: ending.signal }, () => {
                tab.leave()
                tabs.delete(from)
              })
              .catch(() => undefined) // this tab goes before that one
        }
        tab.receive(word)
      }
      channel.postMessage({ from: name, to: '*', word: undefined })
      onLeader()
      // Until the tab goes.
      await new Promise((resolve) => ending.signal.addEventListener('abort', resolve))
      for (const tab of tabs.values()) tab.leave()
    })
    .catch(() => undefined) // the tab went before it had the lock
  return {
    send,
    close: () => {
      ending.abort()
      channel.close()
    },
  }
}

function isLetter(data: unknown): data is Letter {
  return typeof data === 'object' && data !== null && 'from' in data && typeof data.from === 'string' && 'word' in data
}
