import { describePinFlaw, findPinFlaw } from '@chainboard/core'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { filledControl } from '../../ui/buttonStyles.ts'
import { TextField } from '../../ui/TextField.tsx'
import { type AuthFailure, findFormProblem } from './authFailure.ts'
import { loginCard, pinDigits } from './LoginPanel.tsx'
import { recover } from './recover.ts'
import type { LoginStage } from './useLoginForm.ts'

const usernameCharsMax = 32
const codeCharsMax = 40
const backButton =
  'mx-auto mt-3 -mb-2 flex min-h-9 items-center rounded-6 px-2 text-13 text-ink-2 underline underline-offset-4 hover:text-ink touch:min-h-11'

type Props = { readonly stage: LoginStage; readonly onStage: (stage: LoginStage) => void; readonly onBack: () => void }
type Values = { readonly username: string; readonly code: string; readonly newPin: string }

/** A new PIN by a recovery code, without the old one. */
export function RecoverPanel({ stage, onStage, onBack }: Props) {
  const sending = stage === 'sending'
  const { values, problem, change, submit } = useRecovery(sending, onStage)
  const id = useId()
  const first = useFocusAtStart()
  const errorAt = (field: AuthFailure['field']) => (problem?.field === field ? problem?.text : undefined)
  return (
    <section aria-labelledby={id} className={loginCard}>
      <h1 id={id} className="text-20 font-strong tracking-tight">
        Set a new PIN
      </h1>
      <p className="mt-1 min-h-10 text-13 text-ink-2">
        Use one of the recovery codes that you saved. This logs out all other devices.
      </p>
      <form noValidate onSubmit={(event) => void submit(event)} aria-busy={sending} className="mt-4 flex flex-col gap-3">
        <TextField
          ref={first}
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={usernameCharsMax}
          value={values.username}
          onChange={(event) => change('username', event.target.value)}
          error={errorAt('username')}
        />
        <TextField
          label="Recovery code"
          name="recovery-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={codeCharsMax}
          value={values.code}
          onChange={(event) => change('code', event.target.value)}
          hint="Like 7KQ2-XW4P-R9HM. Each works once."
          error={errorAt('code')}
        />
        <TextField
          label="New 4-Digit PIN"
          name="new-pin"
          type="password"
          inputMode="numeric"
          autoComplete="new-password"
          maxLength={pinDigits}
          value={values.newPin}
          onChange={(event) => change('newPin', event.target.value.replace(/\D/g, '').slice(0, pinDigits))}
          error={errorAt('pin')}
        />
        {problem && problem.field === undefined && (
          <p role="alert" className="text-13 text-down wrap-anywhere">
            {problem.text}
          </p>
        )}
        <button
          type="submit"
          disabled={sending || values.username === ''}
          className={`${filledControl} mt-3 h-11! w-full disabled:bg-surface-3 disabled:text-ink-2 disabled:shadow-none`}
        >
          {sending ? 'Saving…' : 'Set PIN and Log In'}
        </button>
      </form>
      <button type="button" disabled={sending} onClick={onBack} className={backButton}>
        Back to login
      </button>
    </section>
  )
}

/** The button that led here is gone: the first field has the focus. */
function useFocusAtStart() {
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  return first
}

function useRecovery(sending: boolean, onStage: Props['onStage']) {
  const [values, setValues] = useState<Values>({ username: '', code: '', newPin: '' })
  const [problem, setProblem] = useState<AuthFailure>()
  const change = (field: keyof Values, text: string) => {
    setValues({ ...values, [field]: text })
    setProblem(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = findProblem(values)
    setProblem(found)
    if (found || sending) return
    onStage('sending')
    const failure = await recover({ username: values.username.trim(), code: values.code.trim(), newPin: values.newPin })
    setProblem(failure)
    onStage(failure ? 'form' : 'login')
  }
  return { values, problem, change, submit }
}

function findProblem({ username, code, newPin }: Values): AuthFailure | undefined {
  const found = findFormProblem({ username, pin: newPin })
  if (found) return found
  if (code.trim() === '') return { text: 'Recovery code is required', field: 'code' }
  const flaw = findPinFlaw(newPin, username)
  return flaw && { text: describePinFlaw(flaw), field: 'pin' }
}
