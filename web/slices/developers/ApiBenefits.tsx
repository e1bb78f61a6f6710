import { Icon, type IconName } from '../../ui/Icon.tsx'

const benefits: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
  {
    icon: 'eye',
    title: 'Prices with evidence',
    text: 'Every price comes with its block, time, confidence and reasons. Old and missing prices are marked, never made up.',
  },
  {
    icon: 'scale',
    title: 'Limits you can count on',
    text: 'Counts are exact, even for parallel requests. Every response shows what is left. Limits reset at midnight UTC.',
  },
  {
    icon: 'stream',
    title: 'Changes as they happen',
    text: 'One connection streams every price change within a block. It resumes where it broke off and retracts prices after a reorg.',
  },
]

/** What the price API is good for. */
export function ApiBenefits() {
  return (
    <section aria-label="What you get">
      <ul className="grid border-line border-y max-desk:divide-y max-desk:divide-line desk:grid-cols-3 desk:divide-x desk:divide-line">
        {benefits.map(({ icon, title, text }) => (
          <li key={title} className="flex gap-4 py-6 desk:px-7 desk:first:pl-0 desk:last:pr-0">
            <span className="mt-0.5 text-accent">
              <Icon name={icon} />
            </span>
            <div>
              <h2 className="text-14 font-strong">{title}</h2>
              <p className="mt-1 text-13 text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
