import { createStoredChoice, useStoredChoice } from '../../lib/storedChoice.ts'

const shownChoice = createStoredChoice<'on' | 'off'>('watchlistShown', ['on', 'off'])

/** Whether the visitor wants the watchlist on the home page; not until asked for. */
export function useWatchlistShown(): { readonly shown: boolean; readonly toggle: () => void } {
  const shown = useStoredChoice(shownChoice) === 'on'
  return { shown, toggle: () => shownChoice.write(shown ? 'off' : 'on') }
}
