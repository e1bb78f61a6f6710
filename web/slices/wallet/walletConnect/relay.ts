import type { WireConfig } from '@chainboard/contract'

/** Where wallets on other devices are reached, and by which name the relay's operator knows this site. */
export type Relay = NonNullable<WireConfig['walletConnect']>

/** What a wallet's app shows of the site that asks. */
export type SiteFacts = { readonly name: string; readonly origin: string }
