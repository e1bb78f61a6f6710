import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot, type Root } from 'react-dom/client'
import { queryClient } from '../lib/queryClient.ts'
import { SitePalette } from './SitePalette.tsx'

let root: Root | undefined

/** Opens the palette beside the page, which does not know of it; one at a time. @param typed what its search begins with */
export function openPalette(typed: string): void {
  if (root) return
  const own = createRoot(document.body.appendChild(document.createElement('div')))
  root = own
  const show = (open: boolean) =>
    own.render(
      <QueryClientProvider client={queryClient}>
        <SitePalette typed={typed} open={open} onClose={() => show(false)} onClosed={end} />
      </QueryClientProvider>,
    )
  const end = () => {
    root = undefined
    own.unmount()
  }
  show(true)
}
