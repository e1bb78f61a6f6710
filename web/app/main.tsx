import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Hydration } from '../lib/hydration.tsx'
import { loadPart } from '../lib/loadPart.ts'
import { queryClient } from '../lib/queryClient.ts'
import { takeDrawnState } from './drawnState.ts'
import { loadDrawnPage } from './lazyPages.ts'
import { Shell } from './Shell.tsx'
import './styles/app.css'

const reloadAnywayMs = 5 * 60_000

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')

const toApp = (drawn: boolean) => (
  <StrictMode>
    <Hydration drawn={drawn}>
      <QueryClientProvider client={queryClient}>
        <Shell />
      </QueryClientProvider>
    </Hydration>
  </StrictMode>
)
// In small steps: the page can be read and pressed meanwhile.
const takeOver = () => {
  // From here on React hears of every press itself.
  dispatchEvent(new Event('take'))
  startTransition(() => void hydrateRoot(root, toApp(true)))
}
if (takeDrawnState(queryClient)) {
  const loading = loadDrawnPage(location.pathname)
  // Without its code the page can still be read, and its links lead on; public/theme.js says the rest.
  if (loading) loading.then(takeOver, () => void dispatchEvent(new Event('missing')))
  else takeOver()
} else {
  // Nothing was there to be pressed before React.
  dispatchEvent(new Event('take'))
  createRoot(root).render(toApp(false))
}

// It has nothing to do in the first minutes. A page whose parts do not load any more is loaded anew all the same.
loadPart(() => import('./afterStart.ts')).then(
  ({ afterStart }) => afterStart(),
  () => setTimeout(() => location.reload(), reloadAnywayMs),
)
