import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../lib/queryClient.ts'
import { keepFresh } from './keepFresh.ts'
import { Shell } from './Shell.tsx'
import './styles/app.css'

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')

keepFresh()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>
  </StrictMode>,
)
