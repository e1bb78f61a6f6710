import { toPageTitle } from '@chainboard/core'
import { useTitle } from '../../lib/useTitle.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { UsersPanel } from '../../slices/users/UsersPanel.tsx'

/** Statistics of all users. */
export default function UsersPage() {
  const config = useConfig()
  useTitle(config && toPageTitle('Users', config.siteName))
  return (
    <div className="min-h-[calc(100dvh-3.5rem)]">
      <UsersPanel />
    </div>
  )
}
