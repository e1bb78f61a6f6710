import type { WireConfig } from '@chainboard/contract'
import { mailUrl } from '../../lib/priceApiUrls.ts'
import { safeUrl } from '../../lib/safeUrl.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'

/** How to reach who runs this site, as far as the network file says it. */
export function ApiContact({ contact }: { readonly contact: WireConfig['contact'] | undefined }) {
  const chat = safeUrl(contact?.chatUrl ?? undefined)
  return (
    <section
      id="contact"
      aria-labelledby="contact-title"
      className="mt-14 flex scroll-mt-20 flex-wrap items-center justify-between gap-x-10 gap-y-5 border-line border-y py-8"
    >
      <div>
        <h2 id="contact-title" className="text-20 font-strong tracking-tight">
          Contact
        </h2>
        <p className="mt-1 max-w-130 text-14 text-ink-2">
          {contact?.email || chat
            ? 'Tell us how many requests a day you need and what for. You get your key within 24 hours.'
            : 'The operator of this site sells keys and helps with them. Use the links at the bottom of this page.'}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        {contact?.email && (
          <a href={mailUrl(contact.email, 'API key')} className={`${outlinedControl} h-11 max-w-full`}>
            <Icon name="out" size={16} />
            <span className="truncate">{contact.email}</span>
          </a>
        )}
        {chat && (
          <a href={chat} target="_blank" rel="noopener noreferrer" className={`${outlinedControl} h-11`}>
            <Icon name="telegram" size={16} />
            Chat channel
          </a>
        )}
      </div>
    </section>
  )
}
