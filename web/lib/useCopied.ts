import { useEffect, useRef, useState } from 'react'
import { copyText } from './copyText.ts'
import { notify } from './notice.ts'

const confirmedMs = 2_000

/** Copies a text and is true for two seconds after that; when the browser does not allow it, a line at the foot of the screen says so. */
export function useCopied(): [boolean, (text: string) => Promise<void>] {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async (text: string) => {
    if (!(await copyText(text))) return notify('Your browser blocked copying', 'note')
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), confirmedMs)
  }
  return [copied, copy]
}
