import type { WireConfig } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import { Link } from 'wouter'
import { poolsPath, swapsPath } from '../lib/marketPaths.ts'
import { safeUrl } from '../lib/safeUrl.ts'
import { developersPath } from '../lib/urls.ts'
import { useConfig } from '../slices/config/useConfig.ts'
import { StatusLine } from '../slices/status/StatusLine.tsx'
import { UserCount } from '../slices/userCount/UserCount.tsx'

const footerLink = 'wrap-anywhere inline-block rounded-6 py-1 text-ink-2 hover:text-ink'

const ownPages = [
  { path: poolsPath, text: 'Pools' },
  { path: swapsPath, text: 'Swaps' },
  { path: developersPath, text: 'Developer APIs' },
]

/** Height and age of the data, how many people use the site, and the network's own links. */
export function Footer() {
  const config = useConfig()
  return (
    <footer className="mt-8 border-line border-t">
      <div className="mx-auto flex min-h-16 max-w-300 min-[1840px]:max-w-440 flex-wrap items-center justify-between gap-x-8 gap-y-3 px-4 py-4 text-13">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-2">
          {config && <span className="wrap-anywhere">{toDisplayText(config.chain.name, 'Chain', 40)}</span>}
          <StatusLine />
          <UserCount />
        </div>
        <nav aria-label="Links of the site and the network">
          <ul className="flex flex-wrap gap-x-5 gap-y-2">
            {ownPages.map(({ path, text }) => (
              <li key={path}>
                <Link to={path} className={footerLink}>
                  {text}
                </Link>
              </li>
            ))}
            {config?.links.map((link) => (
              <FooterLink key={`${link.label} ${link.url}`} link={link} />
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  )
}

function FooterLink({ link }: { readonly link: WireConfig['links'][number] }) {
  const url = safeUrl(link.url)
  if (!url) return null
  return (
    <li>
      <a href={url} target="_blank" rel="noopener noreferrer" className={footerLink}>
        {toDisplayText(link.label, url, 40)}
      </a>
    </li>
  )
}
