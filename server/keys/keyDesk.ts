import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import type { Act } from '../operators/createActs.ts'
import type { Store } from '../store/store.ts'
import type { CheckSignature } from './checkSignature.ts'
import type { KeyService } from './createKeyService.ts'
import type { Site } from './judgeMessage.ts'

/** What the functions that make and change keys work with. */
export type KeyDesk = {
  readonly store: Store
  readonly service: KeyService
  readonly site: Site
  readonly checkSignature: CheckSignature
  readonly chain: Pick<Chain, 'forward'>
  readonly usdc: { readonly address: Address; readonly decimals: number }
  /** How operators' acts are done. */
  readonly act: Act
  /** Whether a key is deleted only when two owners ask for it. */
  readonly twoOwnersDelete: boolean
  /** Whether a wallet is an owner's now. */
  readonly isOwner: (wallet: Address) => boolean
  /** A hash of an address that nobody can turn back without a secret. */
  readonly hashClient: (client: string) => string
  readonly nowMs: () => number
}
