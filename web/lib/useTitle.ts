import { useEffect } from 'react'

/** The tab's title while the caller is on screen. `undefined` leaves it as it is: as the server wrote it, at first. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
}
