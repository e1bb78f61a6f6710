import { useEffect, useRef, useState } from 'react'
import { type AuthFailure, type AuthField, findFormProblem } from './authFailure.ts'
import { login, register } from './sessionCommands.ts'

export type LoginMode = 'login' | 'register'
/** `sending`: the server is being asked. A mode: that has worked. */
export type LoginStage = 'form' | 'sending' | LoginMode

/** Waits longer than this are worth another way in. */
const shortWaitSeconds = 60
/** Browsers count timers in 31 bits. */
const timerMsMax = 2 ** 31 - 1

type Values = Readonly<Record<AuthField, string>>

/** What stands in the form, what is wrong with it, and what happens when it is sent. */
export function useLoginForm(onStage: (stage: LoginStage) => void) {
  const [mode, setMode] = useState<LoginMode>('login')
  const [values, setValues] = useState<Values>({ username: '', pin: '', code: '' })
  const [problem, setProblem] = useState<AuthFailure>()
  const [wait, setWait] = useState<{ readonly untilMs: number }>()
  const [wantsCode, setWantsCode] = useState(false)
  const fields = useRef<Partial<Record<AuthField, HTMLInputElement | null>>>({})

  useEffect(() => {
    if (!wait) return
    const over = () => {
      setWait(undefined)
      setProblem(undefined)
    }
    const timer = setTimeout(over, Math.min(timerMsMax, Math.max(0, wait.untilMs - Date.now())))
    return () => clearTimeout(timer)
  }, [wait])

  const fail = (failure: AuthFailure) => {
    onStage('form')
    setProblem(failure)
    const { field, retryAfterSeconds } = failure
    if (retryAfterSeconds) setWait({ untilMs: Date.now() + retryAfterSeconds * 1000 })
    if (mode === 'login' && (retryAfterSeconds ?? 0) >= shortWaitSeconds) setWantsCode(true)
    const input = field && fields.current[field]
    input?.focus()
    if (field === 'pin') input?.select()
  }

  const send = async () => {
    const username = values.username.trim()
    const invalid = findFormProblem({ username, pin: values.pin })
    if (invalid) return fail(invalid)
    onStage('sending')
    setProblem(undefined)
    const code = values.code.trim()
    try {
      const failure =
        mode === 'register'
          ? await register({ username, pin: values.pin })
          : await login({ username, pin: values.pin, ...(wantsCode && code && { code }) })
      if (failure) return fail(failure)
      onStage(mode)
    } catch (error) {
      console.error(error)
      fail({ text: 'An unexpected error occurred' })
    }
  }

  return {
    mode,
    values,
    problem,
    /** Unix milliseconds until which sending makes no sense; a sign-in code makes it so at once. */
    waitUntilMs: values.code.trim() === '' ? wait?.untilMs : undefined,
    wantsCode: wantsCode && mode === 'login',
    send,
    fieldRef: (field: AuthField) => (input: HTMLInputElement | null) => {
      fields.current[field] = input
    },
    change(field: AuthField, text: string) {
      setValues({ ...values, [field]: text })
      // Another name, another wait: the server will say.
      if (field === 'username') setWait(undefined)
      if (problem?.field === field || (field === 'username' && wait)) setProblem(undefined)
    },
    toggleMode() {
      setMode(mode === 'login' ? 'register' : 'login')
      setProblem(undefined)
      setWait(undefined)
    },
  }
}
