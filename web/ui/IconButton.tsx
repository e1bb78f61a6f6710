import type { ComponentProps } from 'react'
import { quietControl } from './buttonStyles.ts'
import { Icon, type IconName } from './Icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  readonly icon: IconName
  readonly label: string
  readonly iconSize?: number
}

/** A square button with an icon; `label` is its name for everyone. */
export function IconButton({ icon, label, iconSize = 18, className = '', ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${quietControl} size-8 touch:size-11 ${className}`}
      {...rest}
    >
      <Icon name={icon} size={iconSize} />
    </button>
  )
}
