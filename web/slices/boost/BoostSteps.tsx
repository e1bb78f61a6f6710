import { Icon } from '../../ui/Icon.tsx'
import type { BoostStep } from './boostState.ts'

const marks = {
  done: 'border-up text-up',
  now: 'border-ink bg-ink text-surface-1',
  ahead: 'border-line-strong text-ink-3',
} as const

/** Where in the two steps the visitor is. */
export function BoostSteps({ step, extends: isExtension }: { readonly step: BoostStep; readonly extends: boolean }) {
  const steps = ['Approve USDC', isExtension ? 'Extend Boost' : 'Boost Token']
  const now = step === 'approve' ? 0 : 1
  return (
    <ol aria-label="Steps" className="flex items-center gap-3 text-13">
      {steps.map((text, index) => {
        const mark = index < now ? 'done' : index === now ? 'now' : 'ahead'
        return (
          <li
            key={text}
            aria-current={mark === 'now' ? 'step' : undefined}
            className="flex items-center gap-2 not-first:flex-1 not-first:before:mr-1 not-first:before:h-px not-first:before:flex-1 not-first:before:bg-line-strong"
          >
            <span
              aria-hidden="true"
              className={`figures flex size-6 shrink-0 items-center justify-center rounded-full border text-12 font-strong ${marks[mark]}`}
            >
              {mark === 'done' ? <Icon name="check" size={14} /> : index + 1}
            </span>
            <span className={mark === 'now' ? 'font-strong text-ink' : 'text-ink-2'}>
              {text}
              {mark === 'done' && <span className="sr-only">, done</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
