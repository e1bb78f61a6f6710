import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { queryClient } from '../lib/queryClient.ts'
import { takeDrawnState } from './drawnState.ts'
import { Shell } from './Shell.tsx'
import './styles/app.css'

const reloadAnywayMs = 5 * 60_000

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')

const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>
  </StrictMode>
)
// In small steps: the page can be read and pressed meanwhile.
if (takeDrawnState(queryClient)) startTransition(() => void hydrateRoot(root, app))
else createRoot(root).render(app)

// It has nothing to do in the first minutes. A page whose parts do not load any more is loaded anew all the same.
import('./afterStart.ts').then(
  ({ afterStart }) => afterStart(),
  () => setTimeout(() => location.reload(), reloadAnywayMs),
)
