import type { WireDashboard } from '@chainboard/contract'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { dashboardUrl } from '../../lib/urls.ts'

/** Statistics of all users together, as the server counts them. */
export function useDashboard() {
  return useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }): Promise<WireDashboard> => fetchJson(dashboardUrl, signal),
  })
}
