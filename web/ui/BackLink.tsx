import { Link } from 'wouter'
import { Icon } from './Icon.tsx'

/** The arrow before a page's heading that leads to where the page belongs. @param label says where: `All tokens` */
export function BackLink({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <Link
      to={to}
      aria-label={label}
      title={label}
      className="-ml-2 flex size-8 shrink-0 items-center justify-center rounded-8 text-ink-2 hover:bg-surface-2 hover:text-ink touch:size-11"
    >
      <Icon name="left" size={18} />
    </Link>
  )
}
