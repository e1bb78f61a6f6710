import type { Address, OperatorRole } from '@chainboard/core'

/** Who acts, and what the call was authorized by: a signed message, or a session. */
export type Operator = {
  readonly wallet: Address
  readonly role: OperatorRole
  readonly pass: Pass
  /** The address that the call comes from, as `clientOf` counts it. */
  readonly client: string
}

type Pass =
  | { readonly kind: 'message'; readonly digest: string; readonly expiresAtSeconds: number }
  | { readonly kind: 'session'; readonly id: string }
