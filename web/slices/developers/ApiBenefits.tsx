import { Icon, type IconName } from '../../ui/Icon.tsx'

const benefits: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
  {
    icon: 'eye',
    title: 'Prices with their evidence',
    text: 'Block, moment, confidence and reasons come with every price. A price that is old or missing says so, and is never made up.',
  },
  {
    icon: 'scale',
    title: 'Limits you can count on',
    text: 'Exact to the request, whatever you send in parallel. Every answer says what is left; the day begins at midnight UTC.',
  },
  {
    icon: 'stream',
    title: 'Changes as they happen',
    text: 'One open line tells every change within a block, goes on where it broke off, and takes back what the chain took back.',
  },
]

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
