import { useState } from 'react'

/** Text that flashes once in the colour of its direction when its figure changes; never at first sight. */
export function FlashText({ figure, text }: { readonly figure: number; readonly text: string }) {
  const [seen, setSeen] = useState({ figure, text, flash: '' })
  if (seen.figure !== figure || seen.text !== text)
    setSeen({ figure, text, flash: seen.text === text ? seen.flash : figure > seen.figure ? 'flash-up' : 'flash-down' })
  return (
    <span key={text} className={seen.flash}>
      {text}
    </span>
  )
}
