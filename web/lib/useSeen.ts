import { startTransition, useEffect, useState } from 'react'

/**
 * `value`, one frame later: what takes long to draw follows it, and the browser shows what follows `value` itself first. React alone may do both
 * before it lets the browser paint.
 */
export function useSeen<T>(value: T): T {
  const [seen, setSeen] = useState(value)
  useEffect(() => {
    if (Object.is(seen, value)) return
    let timer: ReturnType<typeof setTimeout>
    // The frame is painted after this call.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setSeen(value)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [seen, value])
  return seen
}
