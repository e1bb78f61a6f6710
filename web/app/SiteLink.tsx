import { toDisplayText } from '@chainboard/core'
import { Link } from 'wouter'
import { safeImageUrl } from '../lib/safeUrl.ts'
import { homePath } from '../lib/urls.ts'
import { useConfig } from '../slices/config/useConfig.ts'
import { SiteMark } from './SiteMark.tsx'

const markPx = 28

/** Name and mark of the site, leading home. The network's own logo stands in for the mark when it has one. */
export function SiteLink() {
  const config = useConfig()
  const logo = safeImageUrl(config?.brand.logo ?? undefined, location.origin)
  return (
    <Link to={homePath} className="flex min-w-0 shrink items-center gap-2.5 rounded-8 tablet:tracking-tight">
      {logo ? (
        <img src={logo} alt="" width={markPx} height={markPx} className="size-7 shrink-0 rounded-8 object-contain" />
      ) : (
        <SiteMark size={markPx} />
      )}
      <span className="truncate text-16 font-strong">
        {config ? toDisplayText(config.siteName, 'Chainboard', 32) : 'Chainboard'}
      </span>
    </Link>
  )
}
