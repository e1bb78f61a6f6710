import { notifyManager, QueryClient } from '@tanstack/react-query'
import { RequestError } from './fetchJson.ts'

const retriesMax = 2

/** Defaults of specification §7. What the server refused for good is not asked again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < retriesMax && (!(error instanceof RequestError) || error.retryable),
      refetchOnWindowFocus: false,
      staleTime: 30_000,
      refetchInterval: 60_000,
      // A server on this machine answers while the browser believes to be offline.
      networkMode: 'always',
    },
  },
})

// An answer is drawn in the turn in which it came: frames of what was under way do not come between.
notifyManager.setScheduler(queueMicrotask)
