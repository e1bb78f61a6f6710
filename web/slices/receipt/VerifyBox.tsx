import type { Receipt, WireConfig, WireToken } from '@chainboard/contract'
import { type FormEvent, useState } from 'react'
import { absoluteUrl } from '../../lib/urls.ts'
import { filledControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useVerify } from './useVerify.ts'
import type { StepLine } from './verifyState.ts'

type Provider = { request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown> }

type Props = {
  readonly receipt: Receipt
  readonly token: WireToken
  readonly config: WireConfig
  /** The connected wallet, which has a node of its own. */
  readonly wallet: Provider | undefined
}

type Choice = 'url' | 'wallet' | 'site'

/** Works the price out again in this browser, step by step, from a node that the visitor chooses. */
export function VerifyBox({ receipt, token, config, wallet }: Props) {
  const [choice, setChoice] = useState<Choice>(wallet ? 'wallet' : 'url')
  const [url, setUrl] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { lines, verdict, isRunning, waitText, run } = useVerify(receipt)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const node = findNode(choice, { url, wallet, siteUrl: config.chain.rpcUrl })
    setWrong(!node)
    if (!node) return
    void run(node, {
      chainId: config.chain.id,
      rules: config.prices ?? undefined,
      listed: { symbol: token.symbol, supply: token.supply },
      receipt,
    })
  }
  return (
    <section aria-labelledby="verify" className="rounded-14 border border-line bg-surface-1 p-4">
      <h2 id="verify" className="text-16 font-strong">
        Verify in my browser
      </h2>
      <p className="pb-3 text-13 text-ink-2">
        Your browser reads every input of this price from a node and recomputes it. Choose a node that this site does not run.
      </p>
      <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
        <SelectField label="Node" options={toOptions(wallet)} value={choice} onChange={setChoice} />
        {choice === 'url' && (
          <input
            aria-label="RPC URL"
            aria-invalid={isWrong}
            aria-describedby={isWrong ? 'rpc-wrong' : undefined}
            placeholder="https://…"
            value={url}
            spellCheck={false}
            autoComplete="off"
            maxLength={500}
            onChange={(event) => setUrl(event.target.value)}
            className="h-9 w-72 min-w-0 rounded-8 border border-line-strong bg-ground px-3 text-14 placeholder:text-ink-3 aria-invalid:border-down touch:h-11 max-tablet:w-full"
          />
        )}
        <button type="submit" disabled={isRunning} className={`${filledControl} h-9! touch:h-11!`}>
          {isRunning ? 'Verifying…' : 'Verify'}
        </button>
      </form>
      {isWrong && (
        <p id="rpc-wrong" role="alert" className="pt-2 text-12 text-down">
          Enter a URL that begins with https:// or http://
        </p>
      )}
      {choice === 'site' && (
        <p className="pt-2 text-12 text-warn">This proves less: a dishonest site could run a dishonest node.</p>
      )}
      {lines && (
        <ol className="pt-3">
          {lines.map((line) => (
            <Line key={line.key} line={line} />
          ))}
        </ol>
      )}
      <p aria-live="polite" className="min-h-5 pt-2 font-strong wrap-anywhere">
        {waitText ?? describeVerdict(verdict, receipt)}
      </p>
    </section>
  )
}

function toOptions(wallet: Provider | undefined) {
  return [
    { value: 'url', text: 'An RPC URL' },
    ...(wallet ? [{ value: 'wallet', text: 'My wallet’s node' } as const] : []),
    { value: 'site', text: 'This site’s node' },
  ] as const
}

type Nodes = { readonly url: string; readonly wallet: Provider | undefined; readonly siteUrl: string }

/** The node that the visitor chose; undefined for a text that is no URL. */
function findNode(choice: Choice, { url, wallet, siteUrl }: Nodes) {
  if (choice === 'wallet' && wallet) return { provider: wallet }
  if (choice !== 'url') return { url: absoluteUrl(siteUrl, location.origin) }
  const own = URL.parse(url.trim())
  return own !== null && /^https?:$/.test(own.protocol) ? { url: own.href } : undefined
}

function describeVerdict(verdict: ReturnType<typeof useVerify>['verdict'], { priceInUsd }: Receipt): string {
  if (!verdict) return ''
  if (verdict.kind === 'equal') return `Equal, to all 18 decimals: $${verdict.computed}`
  if (verdict.kind === 'cannot-tell') return 'Cannot tell.'
  return verdict.computed === undefined
    ? 'Not equal.'
    : `Not equal: the site says $${priceInUsd}, your browser found $${verdict.computed}`
}

const looks = {
  waiting: { icon: 'right', look: 'text-ink-3', word: 'Waiting' },
  running: { icon: 'stream', look: 'text-ink-2', word: 'Running' },
  done: { icon: 'check', look: 'text-up', word: 'Done' },
  failed: { icon: 'close', look: 'text-down', word: 'Failed' },
  skipped: { icon: 'right', look: 'text-ink-3', word: 'Not reached' },
} as const

function Line({ line: { text, state, note } }: { readonly line: StepLine }) {
  const { icon, look, word } = looks[state]
  return (
    <li className="flex gap-2 py-1 text-13">
      <span className={`mt-0.5 ${look}`}>
        <Icon name={icon} size={16} />
      </span>
      <span className="sr-only">{word}: </span>
      <span className={`min-w-0 wrap-anywhere ${state === 'done' || state === 'failed' ? '' : 'text-ink-3'}`}>
        {text}
        {note && <span className={`block font-mono text-12 ${state === 'failed' ? 'text-down' : 'text-ink-2'}`}>{note}</span>}
      </span>
    </li>
  )
}
