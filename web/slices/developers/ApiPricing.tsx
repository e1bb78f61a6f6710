import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { docsPath } from '../../lib/urls.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'

type Plan = {
  readonly name: string
  readonly price: string
  readonly per?: string
  readonly requests: string
  readonly facts: readonly string[]
  readonly action: ReactNode
}

const action = `${outlinedControl} w-full touch:h-11`

const plans: readonly Plan[] = [
  {
    name: 'Shared',
    price: 'Free',
    requests: '10,000 requests a day',
    facts: ['Per IP address', 'No key', 'Resets at midnight UTC'],
    action: (
      <Link to={docsPath} className={action}>
        Read the docs
      </Link>
    ),
  },
  {
    name: 'Free key',
    price: 'Free',
    requests: '1,000 requests a day',
    facts: ['A quota of your own', 'One per wallet', 'No expiry'],
    action: (
      <a href="#free-key" className={action}>
        Generate a key
      </a>
    ),
  },
  {
    name: 'Basic',
    price: '$15',
    per: 'a month',
    requests: '10,000 requests a day',
    facts: ['A quota of your own', '30 days at a time', 'Paid in USDC'],
    action: (
      <a href="#contact" className={action}>
        Request a key
      </a>
    ),
  },
  {
    name: 'Custom',
    price: 'Custom',
    requests: '10,000 to 1,000,000+ requests a day',
    facts: ['Sized to your project', 'Your key within 24 hours', 'Terms as agreed'],
    action: (
      <a href="#contact" className={action}>
        Contact us
      </a>
    ),
  },
]

/** What requests cost. */
export function ApiPricing() {
  return (
    <section aria-labelledby="pricing" className="scroll-mt-20 pt-14">
      <h2 id="pricing" className="text-20 font-strong tracking-tight">
        Pricing
      </h2>
      <ul className="mt-5 grid overflow-hidden rounded-14 border border-line bg-line gap-px tablet:grid-cols-2 desk:grid-cols-4">
        {plans.map(({ name, price, per, requests, facts, action: way }) => (
          <li key={name} className="flex flex-col bg-surface-1 p-5">
            <h3 className="text-13 font-strong text-ink-2">{name}</h3>
            <p className="mt-2 flex items-baseline gap-1.5">
              <span className="text-28 font-strong tracking-tight">{price}</span>
              {per && <span className="text-13 text-ink-2">{per}</span>}
            </p>
            <p className="figures mt-1 text-13 font-strong">{requests}</p>
            <ul className="mt-3 mb-5 flex flex-1 flex-col gap-1.5 text-13 text-ink-2">
              {facts.map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
            {way}
          </li>
        ))}
      </ul>
    </section>
  )
}
