import type { Path } from '@chainboard/contract'
import { apiUrl } from './apiUrl.ts'

// Addresses that the operators' panel asks for: nobody else's first load has them.

/** The operators' panel on this server. */
export const adminUrls = {
  session: '/api/admin/session',
  sessions: '/api/admin/sessions',
  state: '/api/admin/state',
  reloadList: '/api/admin/list/reload',
  featured: '/api/admin/featured',
  editFeatured: '/api/admin/featured/edit',
  logout: '/api/admin/logout',
  list: '/api/admin/keys/list',
  stats: '/api/admin/stats',
  acts: '/api/admin/acts',
  create: '/api/admin/keys',
} as const satisfies Readonly<Record<string, Path>>

/** Where a key is changed. @param id of its record */
export function keyUpdateUrl(id: string): string {
  return apiUrl('/api/admin/keys/:id/update', { id })
}

/** Where a deletion that waits for a second owner is withdrawn. @param id of the key's record */
export function keyKeepUrl(id: string): string {
  return apiUrl('/api/admin/keys/:id/keep', { id })
}

/** Where an operator's session is ended. */
export function sessionEndUrl(id: string): string {
  return apiUrl('/api/admin/sessions/:id/end', { id })
}

/** Where a key is deleted. @param id of its record */
export function keyDeleteUrl(id: string): string {
  return apiUrl('/api/admin/keys/:id/delete', { id })
}
