import { Link } from 'wouter'

type Props<T extends string> = {
  readonly label: string
  readonly tabs: readonly { readonly value: T; readonly text: string; readonly count?: number | undefined }[]
  readonly value: T
  /** Where a tab is. */
  readonly pathOf: (value: T) => string
}

/** Parts of a page, one at a time, each with an address of its own. */
export function PageTabs<T extends string>({ label, tabs, value, pathOf }: Props<T>) {
  return (
    <nav
      aria-label={label}
      className="print:hidden overflow-x-auto border-line border-b max-tablet:-mx-4 max-tablet:px-4 [scrollbar-width:none]"
    >
      <ul className="flex gap-1">
        {tabs.map((tab) => (
          <li key={tab.value}>
            <Link
              to={pathOf(tab.value)}
              replace
              aria-current={tab.value === value ? 'page' : undefined}
              className="-mb-px flex h-11 items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-3 font-strong text-ink-2 -outline-offset-2 hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {tab.text}
              {tab.count !== undefined && (
                <span className="figures rounded-full bg-surface-2 px-2 text-12 text-ink-2">
                  {tab.count.toLocaleString('en-US')}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
