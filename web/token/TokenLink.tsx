import type { WireToken } from '@chainboard/contract'
import type { ComponentProps } from 'react'
import { isPlainClick } from '../lib/isPlainClick.ts'
import { tokenPagePath } from '../lib/urls.ts'

type Props = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & {
  readonly token: WireToken
  readonly onDetails: (address: string) => void
}

/** A token's name as a link to its page, for new tabs and crawlers; a plain click opens the details here. */
export function TokenLink({ token: { address }, onDetails, ...rest }: Props) {
  return (
    <a
      href={tokenPagePath(address)}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onDetails(address)
      }}
      {...rest}
    />
  )
}
