import type { WireApiKey } from '@chainboard/contract'
import { useEffect } from 'react'
import { holdReload } from '../../lib/busy.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { describeExpiry, describeOwner, describePayment, tierTexts } from './describeKey.ts'

type Props = {
  /** `id` is the whole key, told this once. */
  readonly apiKey: WireApiKey
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

/** The whole key, this once. */
export function KeyCreatedDialog({ apiKey, open, onClose, onClosed }: Props) {
  useEffect(() => (open ? holdReload() : undefined), [open])
  const facts = [
    ['Email', describeOwner(apiKey)],
    ['Tier', tierTexts[apiKey.tier]],
    ['Daily limit', apiKey.requestsPerDay.toLocaleString('en-US')],
    ['Expires', describeExpiry(apiKey)],
    ...(apiKey.payment ? [['Payment', describePayment(apiKey.payment)] as const] : []),
  ] as const
  return (
    <Modal
      open={open}
      onClose={onClose}
      onClosed={onClosed}
      title="API Key Created!"
      size="fit"
      footer={
        <div className="flex justify-end gap-3 max-tablet:*:flex-1">
          <CopyButton text={apiKey.id} className="h-10 min-w-30 touch:h-11">
            Copy Key
          </CopyButton>
          <button type="button" onClick={onClose} className={`${outlinedControl} h-10 min-w-24 touch:h-11`}>
            Close
          </button>
        </div>
      }
    >
      <div className="px-5 py-4">
        <p className="text-13 text-ink-2">Copy it now and send it to its owner. It won't be shown again.</p>
        <p className="mt-3 rounded-8 border border-line-strong bg-ground px-4 py-3 font-mono text-14 wrap-anywhere">
          {apiKey.id}
        </p>
        <dl className="figures mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-13">
          {facts.map(([term, text]) => (
            <div key={term} className="contents">
              <dt className="text-ink-2">{term}</dt>
              <dd className="text-right wrap-anywhere">
                <bdi>{text}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Modal>
  )
}
