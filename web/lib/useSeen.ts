import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from './afterPaint.ts'

/**
 * `value`, two frames later: what takes long to draw follows it, and the browser shows what follows `value` itself first. React alone may do both
 * before it lets the browser paint.
 */
export function useSeen<T>(value: T): T {
  const [seen, setSeen] = useState(value)
  useEffect(() => {
    if (Object.is(seen, value)) return
    return afterPaint(() => startTransition(() => setSeen(value)))
  }, [seen, value])
  return seen
}
