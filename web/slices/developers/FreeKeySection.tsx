import type { WireConfig } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { SignText } from '../../lib/signProof.ts'
import { docsPath } from '../../lib/urls.ts'
import { filledControl } from '../../ui/buttonStyles.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { type FreeKey, useFreeKey } from './useFreeKey.ts'

type Props = {
  readonly config: WireConfig | undefined
  /** Checksummed; undefined while no wallet is connected. */
  readonly wallet: string | undefined
  /** Connects a wallet, and shows the one that is. */
  readonly walletControl: ReactNode
  readonly sign: SignText
  readonly onKey: (key: string) => void
}

/** A key for a signature. */
export function FreeKeySection({ config, wallet, walletControl, sign, onKey }: Props) {
  const { state, generate, again } = useFreeKey({ config, sign, onKey })
  return (
    <section
      id="free-key"
      aria-labelledby="free-key-title"
      className="grid scroll-mt-20 gap-x-14 gap-y-6 pt-14 desk:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]"
    >
      <div>
        <h2 id="free-key-title" className="text-20 font-strong tracking-tight">
          Get a free API key
        </h2>
        <p className="mt-2 max-w-110 text-14 text-ink-2">
          1,000 requests a day, just for you. No email, no expiry, one key per wallet.
        </p>
        <p className="mt-4 flex max-w-110 gap-2.5 text-13 text-ink-2">
          <span className="mt-0.5 text-warn">
            <Icon name="warning" size={16} />
          </span>
          If you sign again with the same wallet, you get a new key and the old one stops working at once.
        </p>
      </div>
      <div className="flex flex-col justify-center rounded-14 border border-line-strong bg-surface-1 p-5 desk:min-h-81">
        {state.kind === 'made' ? (
          <MadeKey made={state} onAgain={again} />
        ) : (
          <KeySteps state={state} wallet={wallet} walletControl={walletControl} onGenerate={(from) => void generate(from)} />
        )}
      </div>
    </section>
  )
}

type StepsProps = {
  readonly state: Exclude<FreeKey, { kind: 'made' }>
  readonly wallet: string | undefined
  readonly walletControl: ReactNode
  readonly onGenerate: (wallet: string) => void
}

function KeySteps({ state, wallet, walletControl, onGenerate }: StepsProps) {
  const busy = state.kind !== 'idle'
  return (
    <ol className="flex flex-col gap-5">
      <Step number={1} title="Connect your wallet" done={wallet !== undefined}>
        {walletControl}
      </Step>
      <Step number={2} title="Sign a message" done={state.kind === 'making'}>
        <p className="mb-3 text-13 text-ink-2">This proves that the wallet is yours. It is free and moves no funds.</p>
        <button
          type="button"
          disabled={!wallet}
          aria-busy={busy}
          onClick={() => wallet && !busy && onGenerate(wallet)}
          className={`${filledControl} w-full disabled:bg-surface-3 disabled:text-ink-3 disabled:hover:shadow-none tablet:w-auto tablet:min-w-56 touch:h-11`}
        >
          {state.kind === 'signing'
            ? 'Confirm in your wallet'
            : state.kind === 'making'
              ? 'Generating…'
              : 'Sign and generate key'}
        </button>
      </Step>
      <Step number={3} title="Copy your key" done={false}>
        <p className="text-13 text-ink-2">
          We show it once. Send it in the <span className="font-mono">X-API-Key</span> header.
        </p>
        <p role="alert" className="-mb-3 min-h-5 pt-2 text-13 text-down wrap-anywhere">
          {state.kind === 'idle' && state.error}
        </p>
      </Step>
    </ol>
  )
}

type StepProps = { readonly number: number; readonly title: string; readonly done: boolean; readonly children: ReactNode }

function Step({ number, title, done, children }: StepProps) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden="true"
        className={`figures flex size-6 shrink-0 items-center justify-center rounded-full border text-12 font-strong ${done ? 'border-up text-up' : 'border-line-strong text-ink-2'}`}
      >
        {done ? <Icon name="check" size={14} /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="mb-2 text-14 leading-6 font-strong">{title}</h3>
        {children}
      </div>
    </li>
  )
}

type MadeProps = { readonly made: Extract<FreeKey, { kind: 'made' }>; readonly onAgain: () => void }

function MadeKey({ made: { key, wallet }, onAgain }: MadeProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="appear">
      <h3 ref={title} tabIndex={-1} className="flex items-center gap-2 text-16 font-strong outline-none">
        <span className="text-up">
          <Icon name="check" />
        </span>
        Your API key
      </h3>
      <p className="mt-1 text-13 text-ink-2">
        For <span className="font-mono">{shortenAddress(wallet)}</span>. Copy it now: you won't see it again.
      </p>
      <p className="mt-4 rounded-8 border border-line-strong bg-ground px-4 py-3 font-mono text-14 wrap-anywhere" data-key="">
        {key}
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <CopyButton text={key} label="the API key" className="h-10 min-w-30 touch:h-11" />
        <Link to={docsPath} className="rounded-6 px-1 py-2 text-13 font-strong underline underline-offset-4">
          Use it in the examples
        </Link>
        <button
          type="button"
          onClick={onAgain}
          className="rounded-6 px-1 py-2 text-13 text-ink-2 underline underline-offset-4 hover:text-ink"
        >
          Done
        </button>
      </div>
    </div>
  )
}
