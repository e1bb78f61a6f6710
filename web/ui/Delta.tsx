import { formatPercent, noValue } from '@chainboard/core'
import { Triangle } from './Icon.tsx'

/** Beyond it the exact figure says nothing more, and would leave its column. */
const shownMax = 9_999
const beyondTexts = { up: '> +9,999%', down: '< -9,999%' } as const

/** A signed change in percent: hue, glyph and sign say the same thing. `undefined` and `null` read N/A; an old one is `muted`. */
export function Delta({ percent, muted }: { readonly percent: number | null | undefined; readonly muted?: boolean }) {
  const text = formatPercent(percent)
  if (text === noValue) return <span className="text-ink-3">{text}</span>
  if (text.startsWith('+') || text.startsWith('-')) {
    const rises = text.startsWith('+')
    const beyond = Math.abs(percent ?? 0) > shownMax
    return (
      <span
        title={beyond ? text : undefined}
        className={`inline-flex items-center gap-1 whitespace-nowrap ${muted ? 'text-ink-3' : rises ? 'text-up' : 'text-down'}`}
      >
        <Triangle points={rises ? 'up' : 'down'} />
        {beyond ? (rises ? beyondTexts.up : beyondTexts.down) : text}
      </span>
    )
  }
  return <span className={muted ? 'text-ink-3' : 'text-ink-2'}>{text}</span>
}
