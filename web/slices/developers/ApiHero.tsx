import { Link } from 'wouter'
import { docsPath } from '../../lib/urls.ts'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'
import { LiveRequest } from './LiveRequest.tsx'

/** What the price API is, and an answer of it beside the words. */
export function ApiHero({ chainName }: { readonly chainName: string }) {
  return (
    <section
      aria-labelledby="price-api"
      className="grid gap-x-14 gap-y-8 pt-10 pb-12 desk:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] desk:pt-14"
    >
      <div className="flex flex-col desk:justify-center">
        <h1 id="price-api" className="text-28 font-strong tracking-tight desk:text-[2.75rem] desk:leading-13">
          Price API
        </h1>
        <p className="mt-3 max-w-110 text-16 text-ink-2">
          Live token prices on <bdi>{chainName}</bdi>, over plain HTTP. Every price shows its block and how far to trust it.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <a href="#free-key" className={`${filledControl} h-11`}>
            Get Started
          </a>
          <Link to={docsPath} className={`${outlinedControl} h-11 px-4! text-14!`}>
            View Documentation
          </Link>
        </div>
        <p className="mt-5 text-13 text-ink-2">Try it without a key: everyone gets 10,000 free requests a day.</p>
      </div>
      <LiveRequest />
    </section>
  )
}
