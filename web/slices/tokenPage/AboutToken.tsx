import type { WireToken } from '@chainboard/contract'
import { describeLinks } from '../../token/describeLinks.ts'
import { toTokenText } from '../../token/tokenText.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Icon } from '../../ui/Icon.tsx'

type Props = {
  readonly token: WireToken
  /** Where the site is: `https://board.example`. */
  readonly origin: string
}

/** Where else the token is, and how to show its price on another page. */
export function AboutToken({ token, origin }: Props) {
  const links = describeLinks(token)
  const { symbol } = toTokenText(token)
  return (
    <div className="grid gap-6 py-4 desk:grid-cols-2">
      <section aria-label="Links">
        <h2 className="pb-2 font-strong">Links</h2>
        {links.length === 0 && <p className="text-13 text-ink-2">The token list has no links.</p>}
        <ul className="-mx-2 flex flex-wrap">
          {links.map(({ icon, site, url }) => (
            <li key={site}>
              <a
                href={url}
                target="_blank"
                rel="noopener noreferrer"
                className="flex h-9 items-center gap-2 rounded-8 px-2 text-ink-2 hover:bg-surface-2 hover:text-ink touch:h-11"
              >
                <Icon name={icon} size={16} />
                {site}
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Embed" className="min-w-0">
        <h2 className="pb-2 font-strong">Show this price on your page</h2>
        <CodeBlock title="HTML" label={`HTML that shows the price of ${symbol}`} code={toEmbedCode(token.address, origin)} />
        <p className="pt-2 text-12 text-ink-2">It uses this site’s price API. Each view counts as one request by the visitor.</p>
      </section>
    </div>
  )
}

/** A price in another page, by the client that this site offers. The address alone is put in: names are anybody's text. */
export function toEmbedCode(address: string, origin: string): string {
  return `<span id="price-${address}">…</span>
<script type="module">
  import { createPriceClient } from '${origin}/price-client.mjs'
  const { data } = await createPriceClient({ baseUrl: '${origin}' }).getPrice('${address}')
  document.getElementById('price-${address}').textContent = '$' + data.usdPrice
</script>`
}
