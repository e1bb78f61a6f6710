import type { MouseEvent } from 'react'

/** Whether a click on a link is for this page: with one of these keys the browser opens the address elsewhere. */
export function isPlainClick({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(ctrlKey || metaKey || shiftKey || altKey)
}
