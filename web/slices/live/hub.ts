import { createHubTab, type HubTab } from './hubTab.ts'
import { type HubWord, isTabWord } from './messages.ts'
import { createPriceLine, type OpenStream } from './priceLine.ts'

/** A word is said so often at the least: who hears nothing for longer takes the hub for dead. */
export const beatMs = 10_000
/** A restart or a reorg tells all browsers at once to read again: each waits for a part of this, as long as a poll takes to come round. */
const rereadMsMax = 5_000
const tabsMax = 200

/** A tab's place in the hub. */
export type HubSeat = { receive(word: unknown): void; leave(): void }

/**
 * One stream of prices for all tabs of a browser. Prices are public: it is opened without cookies, and knows no user.
 * @param random at least 0, less than 1
 */
export function createHub(
  openStream: OpenStream,
  random: () => number = Math.random,
): { join(post: (word: HubWord) => void): HubSeat | undefined } {
  const tabs = new Set<HubTab>()
  const line = createPriceLine(openStream, {
    listWanted: () => new Set([...tabs].flatMap((tab) => [...tab.wanted()])),
    onEvent: (event) => {
      const owed = [...tabs].filter((tab) => tab.take(event))
      if (owed.length > 0) rereadSoon()
    },
    onState: () => {
      for (const tab of tabs) tab.sayState()
    },
  })
  let rereading: ReturnType<typeof setTimeout> | undefined
  let beating: ReturnType<typeof setInterval> | undefined
  const rereadSoon = () => {
    rereading ??= setTimeout(() => {
      rereading = undefined
      for (const tab of tabs) tab.readAgain()
    }, random() * rereadMsMax)
  }
  const beat = () => {
    for (const tab of tabs) tab.say()
  }

  return {
    join(post) {
      if (tabs.size >= tabsMax) return undefined
      const tab = createHubTab(post, line.tells)
      tabs.add(tab)
      beating ??= setInterval(beat, beatMs)
      return {
        receive(word) {
          if (!isTabWord(word) || !tabs.has(tab)) return
          if (word.kind === 'taken') return tab.goOn()
          tab.want(word.addresses)
          line.gather()
        },
        leave() {
          if (!tabs.delete(tab)) return
          line.gather()
          if (tabs.size > 0) return
          clearTimeout(rereading)
          clearInterval(beating)
          rereading = undefined
          beating = undefined
        },
      }
    },
  }
}
