import { Link, useLocation } from 'wouter'
import { sitePages } from './sitePages.ts'

const looks = {
  bar: 'h-9 px-2.5 text-14 aria-[current]:bg-surface-2',
  menu: 'h-12 px-3 text-16 aria-[current]:bg-surface-2',
} as const

/** The pages, side by side in the bar or under each other in the menu. */
export function NavLinks({ layout }: { readonly layout: keyof typeof looks }) {
  const [path] = useLocation()
  return (
    <nav aria-label="Pages">
      <ul className={layout === 'bar' ? 'flex gap-1' : 'flex flex-col gap-1'}>
        {sitePages.map((page) => (
          <li key={page.path}>
            <Link
              to={page.path}
              aria-current={page.path === path ? 'page' : undefined}
              className={`flex items-center rounded-8 font-strong text-ink-2 transition-colors duration-120 hover:text-ink aria-[current]:text-ink ${looks[layout]}`}
            >
              {page.text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
