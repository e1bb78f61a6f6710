import { formatMoney, noValue } from '@chainboard/core'

/** US dollars in short, or N/A. One element for both: the next token's is changed instead of made again. */
export function Money({ amount }: { readonly amount: number | null | undefined }) {
  const text = formatMoney(amount)
  return <span className={text === noValue ? 'text-ink-3' : ''}>{text}</span>
}

/** What is shown in place of a figure that a token does not have. */
export function None() {
  return <span className="text-ink-3">{noValue}</span>
}
