// What the routes of API keys and of the operators' panel answer, as JSON. Moments are ISO 8601 in UTC.

/** `expired` comes of `expiresAt` and the clock, whatever else the key is. */
export type WireKeyStatus = 'active' | 'paused' | 'expired'
export type WireKeyTier = 'free' | 'basic' | 'custom' | 'forever'

/** What the chain says of the transaction that paid for a key. */
export type WireKeyPayment = {
  /** `unknown`: the chain could not be asked. `missing`: it has no such transaction, or not yet. `failed`: it was reverted. */
  readonly status: 'found' | 'failed' | 'missing' | 'unknown'
  /** Every movement of USDC in it; `amount` in whole USDC, as decimal text. */
  readonly transfers: { readonly amount: string; readonly payer: string; readonly recipient: string }[]
}

/** A key of the operators' list. */
export type WireApiKey = {
  /** `cb_••••h3Kd`; where a key was just made, the key itself, told this once. */
  readonly id: string
  /** Of the record: what actions take. */
  readonly fullId: string
  /** Empty for a free key. */
  readonly email: string
  readonly status: WireKeyStatus
  readonly tier: WireKeyTier
  readonly requestsPerDay: number
  /** Since midnight UTC. */
  readonly usageToday: number
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsed: string | null
  readonly note: string
  /** Whose free key it is, checksummed. */
  readonly wallet: string | null
  readonly txHash: string | null
  readonly payment: WireKeyPayment | null
}

/** Answer of `/api/admin/stats`. */
export type WireKeyStats = {
  readonly totalKeys: number
  readonly activeKeys: number
  /** US dollars: the active keys of tier basic. What custom ones pay is not known here. */
  readonly monthlyRevenue: number
  readonly totalRequestsToday: number
  readonly sharedApiUsage: number
  readonly sharedApiIPs: number
}

/** One of `acts` of `/api/admin/acts`. `from`, `to`: what was changed. */
export type WireAdminAct = {
  readonly id: string
  readonly at: string
  /** Of the operator, checksummed. */
  readonly wallet: string
  readonly act: 'login' | 'logout' | 'create' | 'update' | 'delete'
  /** Record id of the key; null for what is about none. */
  readonly keyId: string | null
  readonly from: Record<string, string | number | null>
  readonly to: Record<string, string | number | null>
}
