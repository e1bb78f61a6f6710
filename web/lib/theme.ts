import { createStoredChoice, useStoredChoice } from './storedChoice.ts'
import { useMediaQuery } from './useMediaQuery.ts'

export type Theme = 'dark' | 'light'

// public/theme.js reads the same key before the first paint.
const chosenTheme = createStoredChoice<Theme>('theme', ['dark', 'light'])

/** The theme in force: the visitor's choice, else the system's. */
export function useTheme(): { readonly theme: Theme; readonly toggle: () => void } {
  const chosen = useStoredChoice(chosenTheme)
  const system: Theme = useMediaQuery('(prefers-color-scheme: light)') ? 'light' : 'dark'
  const theme = chosen ?? system
  return {
    theme,
    toggle() {
      const next: Theme = theme === 'dark' ? 'light' : 'dark'
      document.documentElement.dataset.theme = next
      chosenTheme.write(next)
    },
  }
}
