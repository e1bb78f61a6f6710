import type { adminRoutes, consoleRoutes, operatorRoutes } from '@chainboard/contract'
import type { OperatorRole } from '@chainboard/core'

/** Routes of the panel that ask who calls: opening a session is how one says so. */
type GuardedRoute = Exclude<keyof typeof adminRoutes | keyof typeof operatorRoutes | keyof typeof consoleRoutes, 'openSession'>

/** The least role that each route of the panel takes: a route without a line here does not compile. */
export const leastRoles: Readonly<Record<GuardedRoute, OperatorRole>> = {
  verifyAdmin: 'viewer',
  logoutAdmin: 'viewer',
  listKeys: 'viewer',
  getKeyStats: 'viewer',
  listActs: 'viewer',
  listSessions: 'viewer',
  endSession: 'viewer',
  createKey: 'editor',
  updateKey: 'editor',
  deleteKey: 'owner',
  keepKey: 'owner',
  getSiteState: 'viewer',
  reloadList: 'editor',
  getFeatured: 'viewer',
  editFeatured: 'editor',
}
