import { toPageTitle } from '@chainboard/core'
import { useTitle } from '../../lib/useTitle.ts'
import { setApiKey, useApiKey } from '../../slices/apiKey/useApiKey.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { DocsPanel } from '../../slices/docs/DocsPanel.tsx'
import { useHashTarget } from '../useHashTarget.ts'

/** How to use the price API. */
export default function DocsPage() {
  const config = useConfig()
  useTitle(config && toPageTitle('API Documentation', config.siteName))
  useHashTarget()
  return <DocsPanel config={config} apiKey={useApiKey()} onApiKey={setApiKey} />
}
