import type { WireApiKey } from '@chainboard/contract'
import { useNow } from '../../lib/useNow.ts'
import { describeDay, describeExpiry, describeLastUse, tierTexts } from './describeKey.ts'
import { KeyActions, KeyName, type KeyOpeners, KeyStatus, KeyUsage } from './KeyParts.tsx'

export type KeyRowsProps = {
  readonly keys: readonly WireApiKey[]
  readonly txUrl: string | undefined
  readonly sharedPayments: ReadonlySet<string>
  readonly openers: KeyOpeners
  readonly busyId: string | undefined
}

const head = 'h-10 border-line border-b px-2 text-12 font-strong text-ink-2 first:pl-3 last:pr-3'
const cell = 'border-line border-b px-2 py-3 align-middle first:pl-3 last:pr-3'

/** The keys of a page on a wide screen. */
export function KeyTable({ keys, ...rest }: KeyRowsProps) {
  return (
    <table aria-label="API keys" className="w-full table-fixed border-collapse text-left">
      <thead>
        <tr>
          <th scope="col" className={head}>
            Key
          </th>
          <th scope="col" className={`${head} w-22`}>
            Status
          </th>
          <th scope="col" className={`${head} w-20`}>
            Tier
          </th>
          <th scope="col" className={`${head} w-36`}>
            Usage Today
          </th>
          <th scope="col" className={`${head} w-28`}>
            Created
          </th>
          <th scope="col" className={`${head} w-28`}>
            Expires
          </th>
          <th scope="col" className={`${head} w-24`}>
            Last Used
          </th>
          <th scope="col" className={`${head} w-56`}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.fullId} apiKey={key} {...rest} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = Omit<KeyRowsProps, 'keys'> & { readonly apiKey: WireApiKey }

function KeyRow({ apiKey, txUrl, sharedPayments, openers, busyId }: RowProps) {
  const nowSeconds = useNow()
  return (
    <tr className="figures text-13 transition-colors duration-120 hover:bg-surface-1">
      <td className={cell}>
        <KeyName apiKey={apiKey} txUrl={txUrl} sharedPayments={sharedPayments} />
      </td>
      <td className={cell}>
        <KeyStatus status={apiKey.status} />
      </td>
      <td className={cell}>{tierTexts[apiKey.tier]}</td>
      <td className={cell}>
        <KeyUsage {...apiKey} />
      </td>
      <td className={`${cell} whitespace-nowrap text-ink-2`}>{describeDay(apiKey.createdAt)}</td>
      <td className={`${cell} whitespace-nowrap text-ink-2`}>{describeExpiry(apiKey)}</td>
      <td className={`${cell} whitespace-nowrap text-ink-2`}>{describeLastUse(apiKey, nowSeconds)}</td>
      <td className={cell}>
        <KeyActions apiKey={apiKey} openers={openers} busyId={busyId} />
      </td>
    </tr>
  )
}

/** The same on a narrow screen: a card for each key. */
export function KeyCards({ keys, ...rest }: KeyRowsProps) {
  return (
    <ul aria-label="API keys" className="flex flex-col">
      {keys.map((key) => (
        <KeyCard key={key.fullId} apiKey={key} {...rest} />
      ))}
    </ul>
  )
}

function KeyCard({ apiKey, txUrl, sharedPayments, openers, busyId }: RowProps) {
  const nowSeconds = useNow()
  const facts = [
    ['Tier', tierTexts[apiKey.tier]],
    ['Created', describeDay(apiKey.createdAt)],
    ['Expires', describeExpiry(apiKey)],
    ['Last Used', describeLastUse(apiKey, nowSeconds)],
  ] as const
  return (
    <li className="border-line border-b py-4 first:pt-2 tablet:px-3">
      <div className="flex items-start justify-between gap-3">
        <KeyName apiKey={apiKey} txUrl={txUrl} sharedPayments={sharedPayments} />
        <KeyStatus status={apiKey.status} />
      </div>
      <div className="mt-3 flex items-end justify-between gap-4">
        <div className="flex-1">
          <p className="text-12 text-ink-2">Usage Today</p>
          <KeyUsage {...apiKey} />
        </div>
      </div>
      <dl className="figures mt-3 grid grid-cols-2 gap-x-4 gap-y-2 text-13 tablet:grid-cols-4">
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt className="text-12 text-ink-2">{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4">
        <KeyActions apiKey={apiKey} openers={openers} busyId={busyId} />
      </div>
    </li>
  )
}
