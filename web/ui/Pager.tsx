import type { MouseEvent } from 'react'
import { isPlainClick } from '../lib/isPlainClick.ts'
import { Icon } from './Icon.tsx'
import { toPageSlots } from './pageSlots.ts'

type Props = {
  readonly label: string
  readonly page: number
  readonly pages: number
  /** Absent where pages have no address of their own. */
  readonly hrefOf?: (page: number) => string
  readonly onPage: (page: number) => void
  /** Called when a page is about to be asked for, to fetch it ahead. */
  readonly onPreview?: (page: number) => void
}

const slot =
  'figures inline-flex h-8 min-w-0 touch:h-11 tablet:w-8 touch:tablet:w-11 items-center justify-center rounded-8 text-13 transition-colors duration-120'
const live =
  'text-ink-2 hover:bg-surface-2 hover:text-ink aria-[current]:bg-surface-2 aria-[current]:font-strong aria-[current]:text-ink'

/** Ways to other pages of a list. `onPreview`: the pointer is on one. */
export function Pager({ label, page, pages, hrefOf, onPage, onPreview }: Props) {
  const isPage = (target: number) => target >= 1 && target <= pages
  const toProps = (target: number) => ({
    onPointerEnter: () => isPage(target) && onPreview?.(target),
    className: `${slot} ${live} aria-disabled:pointer-events-none aria-disabled:text-line-strong`,
    // At either end it leads to the page that is shown: a link with the focus that loses its address makes the browser lay out the page at once.
    ...(hrefOf ? { href: hrefOf(Math.min(pages, Math.max(1, target))) } : { type: 'button' as const }),
    onClick: (event: MouseEvent) => {
      if (hrefOf && !isPlainClick(event)) return
      event.preventDefault()
      if (isPage(target)) onPage(target)
    },
  })
  // Not `disabled`: whoever pages by keyboard keeps the focus at either end.
  const Way = hrefOf ? 'a' : 'button'
  const step = (target: number, icon: 'left' | 'right', name: string) => (
    <Way {...toProps(target)} aria-label={name} aria-disabled={!isPage(target)}>
      <Icon name={icon} size={16} />
    </Way>
  )
  return (
    <nav aria-label={label} className="flex items-center gap-0.5 max-tablet:w-full max-tablet:*:flex-1 tablet:-mr-2">
      {step(page - 1, 'left', 'Previous page')}
      {toPageSlots(page, pages).map((target, index) =>
        target === 'gap' ? (
          <span key={`gap-${index < 3 ? 'before' : 'after'}`} aria-hidden="true" className={`${slot} text-ink-3`}>
            …
          </span>
        ) : (
          <Way
            key={target}
            {...toProps(target)}
            aria-label={`Page ${target}`}
            aria-current={target === page ? 'page' : undefined}
          >
            {target}
          </Way>
        ),
      )}
      {step(page + 1, 'right', 'Next page')}
    </nav>
  )
}
