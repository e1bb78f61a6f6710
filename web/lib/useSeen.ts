import { useEffect, useState } from 'react'
import { afterPaint } from './afterPaint.ts'

/**
 * `value`, two frames later: what takes long to draw follows it, and the browser shows what follows `value` itself first. React alone may do both
 * before it lets the browser paint. It follows in one piece: in a transition, an older value could still arrive after the newest one.
 */
export function useSeen<T>(value: T): T {
  const [seen, setSeen] = useState(value)
  useEffect(() => afterPaint(() => setSeen(value)), [value])
  return seen
}
