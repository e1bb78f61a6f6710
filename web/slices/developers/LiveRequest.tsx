import { shortenAddress } from '@chainboard/core'
import type { RateLimit } from '@chainboard/sdk'
import { fieldOf } from '../../lib/untrusted.ts'
import { JsonText } from '../../ui/JsonText.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type LiveAnswer, useLiveAnswer } from './useLiveAnswer.ts'

/** Widths of the bars in place of the answer's lines, in characters. */
const waitingLines = [1, 16, 10, 24, 18, 52, 28, 30, 20, 22, 34, 34, 22, 14, 18, 20, 26, 20, 4, 16, 18, 16, 20, 3, 1]

/** A call to this server's price API and its real answer. The height is the answer's from the first moment. */
export function LiveRequest() {
  const query = useLiveAnswer()
  const answer = query.data ?? undefined
  return (
    <figure className="flex flex-col overflow-hidden rounded-14 border border-line-strong bg-surface-1">
      <figcaption className="flex min-h-12 items-center gap-3 border-line border-b py-1 pr-2 pl-4">
        <span className="min-w-0 flex-1 truncate font-mono text-12 text-ink-2">
          <span className="font-strong text-up">GET</span> {answer ? shortenPath(answer.path) : '/api/v1/prices/…'}
        </span>
        <button
          type="button"
          onClick={() => void query.refetch()}
          disabled={query.isFetching}
          className="h-8 shrink-0 rounded-6 px-2.5 text-12 font-strong text-ink-2 hover:bg-surface-2 hover:text-ink disabled:text-ink-3 touch:h-11"
        >
          {query.isFetching ? 'Loading…' : 'Refresh'}
        </button>
      </figcaption>
      {/* What scrolls has to be reached by keyboard. */}
      <section
        aria-label="Example response"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: as said above
        tabIndex={0}
        className="-outline-offset-2 flex h-133 flex-col overflow-auto"
      >
        <QueryView
          query={query}
          isEmpty={(data) => data === null}
          waiting={<WaitingAnswer />}
          empty={() => (
            <p className="m-auto px-6 text-center text-13 text-ink-2">No token has a price yet. The response will appear here.</p>
          )}
          failureText="The price API is not responding"
        >
          {(data) => (
            <pre className="px-4 py-3 font-mono text-12 leading-5">
              <code>{data && <JsonText value={data.body} />}</code>
            </pre>
          )}
        </QueryView>
      </section>
      <p className="figures flex min-h-10 items-center border-line border-t px-4 text-12 text-ink-2">
        {answer ? <AnswerFacts answer={answer} /> : 'A live call to this server'}
      </p>
    </figure>
  )
}

function AnswerFacts({ answer: { status, ms, body } }: { readonly answer: LiveAnswer }) {
  const rateLimit = readRateLimit(body)
  return (
    <span role="status">
      <span className={`font-strong ${status < 400 ? 'text-up' : 'text-down'}`}>{status}</span> in {ms} ms
      {rateLimit &&
        ` · ${rateLimit.remaining.toLocaleString('en-US')} of your ${rateLimit.limit.toLocaleString('en-US')} left today`}
    </span>
  )
}

function readRateLimit(body: unknown): Pick<RateLimit, 'limit' | 'remaining'> | undefined {
  const found = fieldOf(body, 'rateLimit')
  const [limit, remaining] = [fieldOf(found, 'limit'), fieldOf(found, 'remaining')]
  return typeof limit === 'number' && typeof remaining === 'number' ? { limit, remaining } : undefined
}

function WaitingAnswer() {
  return (
    <div aria-hidden="true" className="px-4 py-3">
      {waitingLines.map((characters, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have nothing but their place
        <div key={index} className="flex h-5 items-center">
          <Skeleton width={characters * 7} height={10} />
        </div>
      ))}
    </div>
  )
}

/** `/api/v1/prices/0x9fE4…e6e0` */
function shortenPath(path: string): string {
  return path.replace(/0x[0-9a-fA-F]{40}/, (address) => shortenAddress(address))
}
