import type { WireConfig } from '@chainboard/contract'
import { Link } from 'wouter'
import { mailUrl } from '../../lib/priceApiUrls.ts'
import { safeUrl } from '../../lib/safeUrl.ts'
import { developersPath } from '../../lib/urls.ts'

const link = 'rounded-6 font-strong text-ink underline underline-offset-4'

/** Where to ask. */
export function HelpLine({ contact }: { readonly contact: WireConfig['contact'] | undefined }) {
  const chat = safeUrl(contact?.chatUrl ?? undefined)
  return (
    <p className="border-line border-t py-8 text-14 text-ink-2">
      Need help?{' '}
      {contact?.email && (
        <>
          Write to{' '}
          <a href={mailUrl(contact.email, 'Price API')} className={`${link} wrap-anywhere`}>
            {contact.email}
          </a>
          {chat ? ' or ' : '.'}
        </>
      )}
      {chat && (
        <>
          {contact?.email ? 'ask in the ' : 'Ask in the '}
          <a href={chat} target="_blank" rel="noopener noreferrer" className={link}>
            chat channel
          </a>
          .
        </>
      )}
      {!contact?.email && !chat && (
        <>
          Start at the{' '}
          <Link to={developersPath} className={link}>
            price API page
          </Link>
          .
        </>
      )}
    </p>
  )
}
