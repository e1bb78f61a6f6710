import { useEffect, useRef } from 'react'
import { sections } from './sections.ts'
import { useSectionInView } from './useSectionInView.ts'

/** The parts of the page: beside them on a wide screen, a line over them on a narrow one. */
export function DocsContents() {
  const current = useSectionInView()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const row = list.current
    const link = row?.querySelector<HTMLElement>(`[href="#${current}"]`)
    // Scrolled by hand: scrollIntoView would move the page, too.
    if (row && link && row.scrollWidth > row.clientWidth)
      row.scrollLeft = link.offsetLeft - row.clientWidth / 2 + link.offsetWidth / 2
  }, [current])
  return (
    <nav
      aria-label="On this page"
      className="z-10 max-desk:sticky max-desk:top-14 max-desk:-mx-4 max-desk:border-line max-desk:border-b max-desk:bg-ground desk:sticky desk:top-22 desk:self-start"
    >
      <ul
        ref={list}
        className="relative flex max-desk:overflow-x-auto max-desk:px-2 max-desk:[scrollbar-width:none] desk:flex-col desk:border-line desk:border-l"
      >
        {sections.map(({ id, title }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
              className="-outline-offset-2 flex h-11 items-center px-3 text-13 text-ink-2 transition-colors duration-120 hover:text-ink aria-[current]:font-strong aria-[current]:text-ink desk:-ml-px desk:h-9 desk:border-transparent desk:border-l-2 desk:px-4 desk:aria-[current]:border-accent"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
