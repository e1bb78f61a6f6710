import { useEffect, useState } from 'react'

/** An answer that comes sooner changes the rows, and nothing is dimmed. */
export const dimAfterMs = 200

/** Whether `flag` has been true for longer than `ms`. */
export function useLasting(flag: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!flag) return
    const timer = setTimeout(() => setLasting(true), ms)
    return () => {
      clearTimeout(timer)
      setLasting(false)
    }
  }, [flag, ms])
  return flag && lasting
}
