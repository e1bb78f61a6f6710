import { toPageTitle } from '@chainboard/core'
import { useTitle } from '../../lib/useTitle.ts'
import { setApiKey } from '../../slices/apiKey/useApiKey.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { DevelopersPanel } from '../../slices/developers/DevelopersPanel.tsx'
import { FreeKeySection } from '../../slices/developers/FreeKeySection.tsx'
import { InlineWallet } from '../../slices/wallet/InlineWallet.tsx'
import { useSignText } from '../../slices/wallet/signText.ts'
import { useHashTarget } from '../useHashTarget.ts'

/** The price API: what it is, what it costs, and a key for it. */
export default function DevelopersPage() {
  const config = useConfig()
  const { address, sign } = useSignText()
  useTitle(config && toPageTitle('Price API', config.siteName))
  useHashTarget()
  return (
    <DevelopersPanel config={config}>
      <FreeKeySection config={config} wallet={address} walletControl={<InlineWallet />} sign={sign} onKey={setApiKey} />
    </DevelopersPanel>
  )
}
