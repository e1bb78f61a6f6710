import { Failure } from '@chainboard/core'
import { isMessageSpent } from '../store/spentMessages.ts'
import { type Claim, judgeMessage, type Proof } from './judgeMessage.ts'
import type { KeyDesk } from './keyDesk.ts'

/**
 * Whose signed login comes with a call. Whether a wallet is an operator's is told to nobody who has not signed with it.
 * @throws Failure as `judgeMessage` and `CheckSignature` do; `signature-invalid` after a logout; `forbidden` for other wallets
 */
export async function requireAdmin({ store, site, checkSignature, adminWallets, nowMs }: KeyDesk, proof: Proof): Promise<Claim> {
  const claim = judgeMessage(proof, 'Admin Login', site, nowMs())
  await checkSignature(claim, { mayBeUndeployed: false })
  if (!adminWallets.has(claim.wallet)) throw new Failure('forbidden', 'This wallet is not authorized')
  if (await isMessageSpent(store.read, claim.digest)) throw new Failure('signature-invalid', 'You are logged out. Log in again')
  return claim
}
