import { type RefObject, useEffect, useRef } from 'react'
import { useAdminSession } from './adminSession.ts'

/** For the heading of what a login or its end brings: the control that was pressed has gone, and the focus goes on from there. */
export function useTurnFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const { turned } = useAdminSession()
  useEffect(() => {
    if (turned) heading.current?.focus()
  }, [turned])
  return heading
}
