import { useTheme } from '../lib/theme.ts'
import { IconButton } from '../ui/IconButton.tsx'

/** Changes between dark and light. */
export function ThemeToggle() {
  const { theme, toggle } = useTheme()
  const next = theme === 'dark' ? 'light' : 'dark'
  return <IconButton icon={theme === 'dark' ? 'sun' : 'moon'} label={`Switch to the ${next} theme`} onClick={toggle} />
}
