import { findPinFlaw } from '@chainboard/core'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useNow } from '../../lib/useNow.ts'
import { filledControl } from '../../ui/buttonStyles.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { formatCountdown } from './authFailure.ts'
import { suggestPin } from './suggestPin.ts'
import { type LoginMode, type LoginStage, useLoginForm } from './useLoginForm.ts'

const usernameCharsMax = 32
const codeCharsMax = 40
/** Digits of a PIN. */
export const pinDigits = 4

const words = {
  login: {
    title: 'Login',
    intro: 'Your watchlist and your portfolio, on every device.',
    busy: 'Logging in…',
    other: "Don't have an account?",
    otherAction: 'Register',
  },
  register: {
    title: 'Register',
    intro: 'All you need is a username and a PIN. Your watchlist and portfolio are saved.',
    busy: 'Registering…',
    other: 'Already have an account?',
    otherAction: 'Login',
  },
} as const

/** The card that the form and what follows it stand in. */
export const loginCard =
  'mx-auto mt-6 w-full max-w-96 rounded-14 border border-line bg-surface-1 px-5 py-6 tablet:mt-14 tablet:px-7 tablet:py-7'

type Props = {
  readonly stage: LoginStage
  readonly onStage: (stage: LoginStage) => void
  /** Leads to a new PIN. */
  readonly onForgot: () => void
  /** Ways to log in without the PIN. */
  readonly otherWays: ReactNode
}
type Form = ReturnType<typeof useLoginForm>

/** Logging in and registering: one form for both. */
export function LoginPanel({ stage, onStage, onForgot, otherWays }: Props) {
  const form = useLoginForm(onStage)
  const id = useId()
  const { mode, problem } = form
  const { title, intro, other, otherAction } = words[mode]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void form.send()
  }
  return (
    <section aria-labelledby={id} className={loginCard}>
      <h1 id={id} className="text-20 font-strong tracking-tight">
        {title}
      </h1>
      <p className="mt-1 min-h-10 text-13 text-ink-2">{intro}</p>
      <form noValidate onSubmit={submit} aria-busy={stage === 'sending'} className="mt-4 flex flex-col gap-3">
        <Fields key={mode} form={form} />
        {problem && problem.field === undefined && (
          <p role="alert" className="text-13 text-down wrap-anywhere">
            {problem.text}
          </p>
        )}
        <SubmitButton mode={mode} sending={stage === 'sending'} empty={form.values.username === ''} untilMs={form.waitUntilMs} />
      </form>
      {mode === 'login' && (
        <button
          type="button"
          disabled={stage === 'sending'}
          onClick={onForgot}
          className="mx-auto mt-3 -mb-3 flex min-h-9 items-center rounded-6 px-2 text-13 text-ink-2 underline underline-offset-4 hover:text-ink touch:min-h-11"
        >
          Forgot your PIN?
        </button>
      )}
      {mode === 'login' && otherWays}
      <button
        type="button"
        disabled={stage === 'sending'}
        onClick={form.toggleMode}
        className="mx-auto mt-3 -mb-2 flex min-h-9 items-center rounded-6 px-2 text-13 text-ink-2 hover:text-ink touch:min-h-11"
      >
        <span>
          {other} <span className="font-strong text-ink underline underline-offset-4">{otherAction}</span>
        </span>
      </button>
    </section>
  )
}

function Fields({ form }: { readonly form: Form }) {
  const { mode, values, problem } = form
  const errorAt = (field: string) => (problem?.field === field ? problem.text : undefined)
  return (
    <>
      <TextField
        ref={form.fieldRef('username')}
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={usernameCharsMax}
        required
        value={values.username}
        onChange={(event) => form.change('username', event.target.value)}
        hint={mode === 'register' ? 'Letters, digits, dots, dashes and underscores' : undefined}
        error={errorAt('username')}
      />
      <PinField form={form} error={errorAt('pin')} />
      {form.wantsCode && (
        <TextField
          ref={form.fieldRef('code')}
          label="Sign-in code"
          name="one-time-code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={codeCharsMax}
          value={values.code}
          onChange={(event) => form.change('code', event.target.value)}
          hint="Skips the wait. Create one in Portfolio on a device that is still logged in, or ask the operator."
          error={errorAt('code')}
        />
      )}
    </>
  )
}

/** Keeps digits alone, four at most: also of what is pasted with other signs between. */
function PinField({ form, error }: { readonly form: Form; readonly error: string | undefined }) {
  const [seen, setSeen] = useState(false)
  const [suggested] = useState(() => suggestPin(form.values.username))
  const { mode, values } = form
  const change = (text: string) => form.change('pin', text.replace(/\D/g, '').slice(0, pinDigits))
  return (
    <TextField
      ref={form.fieldRef('pin')}
      label="4-Digit PIN"
      name="pin"
      type={seen ? 'text' : 'password'}
      inputMode="numeric"
      autoComplete={mode === 'register' ? 'new-password' : 'current-password'}
      maxLength={pinDigits}
      required
      value={values.pin}
      onChange={(event) => change(event.target.value)}
      onPaste={(event) => {
        event.preventDefault()
        change(event.clipboardData.getData('text'))
      }}
      hint={mode === 'register' ? toPinHint(values, suggested) : undefined}
      error={error}
    >
      <IconButton icon={seen ? 'eyeOff' : 'eye'} label={seen ? 'Hide PIN' : 'Show PIN'} onClick={() => setSeen(!seen)} />
    </TextField>
  )
}

function toPinHint({ pin, username }: Form['values'], suggested: string): string {
  if (pin.length === pinDigits && findPinFlaw(pin, username)) return `Easy to guess. How about ${suggested}?`
  return 'Not a year, a date or a pattern. Remember it.'
}

type SubmitProps = {
  readonly mode: LoginMode
  readonly sending: boolean
  readonly empty: boolean
  readonly untilMs: number | undefined
}

/** Says what it does, and while it may not, why. */
function SubmitButton({ mode, sending, empty, untilMs }: SubmitProps) {
  const { title, busy } = words[mode]
  return (
    <button
      type="submit"
      disabled={sending || empty || untilMs !== undefined}
      className={`${filledControl} figures mt-3 h-11! w-full disabled:bg-surface-3 disabled:text-ink-2 disabled:shadow-none`}
    >
      {sending ? (
        <>
          <span aria-hidden="true" className="spinner size-3.5" />
          {busy}
        </>
      ) : untilMs !== undefined ? (
        <Countdown untilMs={untilMs} />
      ) : (
        title
      )}
    </button>
  )
}

function Countdown({ untilMs }: { readonly untilMs: number }) {
  return `Try again in ${formatCountdown(untilMs / 1000 - useNow())}`
}
