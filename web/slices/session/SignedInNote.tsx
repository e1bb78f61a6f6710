import { useEffect, useEffectEvent, useRef } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { loginCard } from './LoginPanel.tsx'
import type { LoginMode } from './useLoginForm.ts'

const shownMs = 1_500

const titles = { login: 'Login Successful!', register: 'Registration Complete!' } as const

/** What a login ends with. Calls `onOver` after a second and a half, unless the visitor has gone before. */
export function SignedInNote({ mode, onOver }: { readonly mode: LoginMode; readonly onOver: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const leave = useEffectEvent(onOver)
  useEffect(() => {
    // The form that had the focus is gone.
    heading.current?.focus({ preventScroll: true })
    const timer = setTimeout(() => leave(), shownMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <section className={`${loginCard} appear flex min-h-60 flex-col items-center justify-center gap-1 text-center`}>
      <span className="mb-3 flex size-12 items-center justify-center rounded-full bg-surface-2 text-up">
        <Icon name="check" size={24} />
      </span>
      <h1 ref={heading} tabIndex={-1} className="rounded-6 text-20 font-strong tracking-tight outline-none">
        {titles[mode]}
      </h1>
      <p role="status" className="text-13 text-ink-2">
        Redirecting to your portfolio...
      </p>
    </section>
  )
}
