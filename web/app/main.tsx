import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../lib/queryClient.ts'
import { Shell } from './Shell.tsx'
import './styles/app.css'

const reloadAnywayMs = 5 * 60_000

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>
  </StrictMode>,
)

// It has nothing to do in the first minutes. A page whose parts do not load any more is loaded anew all the same.
import('./afterStart.ts').then(
  ({ afterStart }) => afterStart(),
  () => setTimeout(() => location.reload(), reloadAnywayMs),
)
