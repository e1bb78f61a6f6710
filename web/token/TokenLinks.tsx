import type { WireToken } from '@chainboard/contract'
import { quietControl } from '../ui/buttonStyles.ts'
import { Icon } from '../ui/Icon.tsx'
import { describeLinks } from './describeLinks.ts'
import { toTokenText } from './tokenText.ts'

/** The token's pages elsewhere, one icon each. Nothing when its list entry names none. */
export function TokenLinks({ token }: { readonly token: WireToken }) {
  const { symbol } = toTokenText(token)
  const links = describeLinks(token)
  if (links.length === 0) return null
  return (
    <ul aria-label={`Links of ${symbol}`} className="print:hidden relative z-1 flex">
      {links.map(({ icon, site, url }) => (
        <li key={icon}>
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`${site} of ${symbol}`}
            title={site}
            className={`${quietControl} size-7 text-ink-3 touch:size-9`}
          >
            <Icon name={icon} size={16} />
          </a>
        </li>
      ))}
    </ul>
  )
}
