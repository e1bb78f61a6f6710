import { describePinFlaw, findPinFlaw } from '@chainboard/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Credentials, login, register } from './accountCommands.ts'
import { type AuthFailure, type AuthField, findFormProblem } from './authFailure.ts'

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
  const [codeOffered, setCodeOffered] = useState(false)
  const wait = useWait(() => setProblem(undefined))
  const { focusField, fieldRef } = useFields()
  const wantsCode = codeOffered && mode === 'login'

  const fail = (failure: AuthFailure) => {
    const { field, retryAfterSeconds } = failure
    onStage('form')
    setProblem(failure)
    if (retryAfterSeconds) wait.begin(retryAfterSeconds)
    if (retryAfterSeconds && retryAfterSeconds >= shortWaitSeconds) setCodeOffered(true)
    if (field) focusField(field)
  }
  const send = async () => {
    const credentials = { username: values.username.trim(), pin: values.pin }
    const invalid = findFormProblem(credentials) ?? (mode === 'register' ? findEasyPin(credentials) : undefined)
    if (invalid) return fail(invalid)
    onStage('sending')
    setProblem(undefined)
    const code = wantsCode ? values.code.trim() : ''
    const failure = await signIn(mode, { ...credentials, ...(code && { code }) })
    if (failure) fail(failure)
    else onStage(mode)
  }
  const change = (field: AuthField, text: string) => {
    setValues({ ...values, [field]: text })
    // Another name, another wait: the server will say.
    if (field === 'username') wait.end()
    else if (problem?.field === field) setProblem(undefined)
  }
  const toggleMode = () => {
    setMode(mode === 'login' ? 'register' : 'login')
    wait.end()
  }
  /** A sign-in code makes trying again worth it at once. */
  const waitUntilMs = wantsCode && values.code.trim() !== '' ? undefined : wait.untilMs
  return { mode, values, problem, wantsCode, waitUntilMs, fieldRef, send, change, toggleMode }
}

function findEasyPin({ username, pin }: Credentials): AuthFailure | undefined {
  const flaw = findPinFlaw(pin, username)
  return flaw && { text: describePinFlaw(flaw), field: 'pin' }
}

async function signIn(mode: LoginMode, credentials: Credentials): Promise<AuthFailure | undefined> {
  try {
    return await (mode === 'register' ? register(credentials) : login(credentials))
  } catch (error) {
    console.error(error)
    return { text: 'An unexpected error occurred' }
  }
}

/** The time until which the server wants to hear nothing. `onOver` is called at its end, and when `end` gives it up. */
function useWait(onOver: () => void) {
  const [untilMs, setUntilMs] = useState<number>()
  const over = useEffectEvent(onOver)
  useEffect(() => {
    if (untilMs === undefined) return
    const leave = () => {
      setUntilMs(undefined)
      over()
    }
    const timer = setTimeout(leave, Math.min(timerMsMax, Math.max(0, untilMs - Date.now())))
    return () => clearTimeout(timer)
  }, [untilMs])
  return {
    untilMs,
    begin: (seconds: number) => setUntilMs(Date.now() + seconds * 1000),
    end() {
      setUntilMs(undefined)
      onOver()
    },
  }
}

/** The form's inputs, to bring the cursor to the one that has to change. */
function useFields() {
  const inputs = useRef<Partial<Record<AuthField, HTMLInputElement | null>>>({})
  return {
    fieldRef: (field: AuthField) => (input: HTMLInputElement | null) => {
      inputs.current[field] = input
    },
    focusField(field: AuthField) {
      const input = inputs.current[field]
      input?.focus()
      if (field === 'pin') input?.select()
    },
  }
}
