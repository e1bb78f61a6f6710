import type { KeyboardEvent } from 'react'

/** Marks the link with a token's name in the list of all tokens. */
export const nameMark = { 'data-token-name': '' } as const

/** Marks the list that a search is in; the watchlist has names too. */
export const foundMark = { 'data-tokens-found': '' } as const

const nameSelector = '[data-token-name]'

/** For the list's `onKeyDown`: arrow up and down lead from name to name. At either end the page scrolls as ever. */
export function moveBetweenNames(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>(nameSelector)]
  const { target } = event
  const at = target instanceof HTMLElement ? names.indexOf(target) : -1
  const next = at === -1 ? undefined : names[at + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Puts the focus on the first name within `part` of the page, if there is one. */
export function focusName(part: ParentNode): boolean {
  const name = part.querySelector<HTMLElement>(nameSelector)
  name?.focus()
  return name !== null
}

/** Puts the focus on the first name that was found, if there is one. */
export function focusFound(): boolean {
  const found = document.querySelector('[data-tokens-found]')
  return found !== null && focusName(found)
}

/** Whether a row or card of what was found has the focus. */
export function hasFocusInRow(): boolean {
  return document.activeElement?.closest('[data-tokens-found] :is(tbody tr, li)') != null
}

/** Before the row with the focus goes away: the same button of the row after it gets the focus, or of the one before, or else the page. */
export function focusBesideRow(): void {
  const button = document.activeElement
  const row = button?.closest('tr, li')
  if (!button || !row) return
  const controls = 'button, [data-token-name]'
  const place = [...row.querySelectorAll(controls)].indexOf(button)
  const beside = row.nextElementSibling ?? row.previousElementSibling
  const buttons = [...(beside?.querySelectorAll<HTMLElement>(controls) ?? [])]
  const target = buttons[place] ?? buttons.at(-1) ?? document.querySelector('main')
  target?.focus({ preventScroll: true })
}
