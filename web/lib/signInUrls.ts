import type { Path } from '@chainboard/contract'
import { apiUrl } from './apiUrl.ts'

// Apart from `urls.ts`, which is a part of the first load of every page.

/** Signing in without the PIN: what is to be signed, and where its answer goes. */
export const signInUrls = {
  askPasskey: '/api/sign-in/passkey/challenge',
  passkey: '/api/sign-in/passkey',
  askWallet: '/api/sign-in/wallet/challenge',
  wallet: '/api/sign-in/wallet',
} as const satisfies Readonly<Record<string, Path>>

/** The passkeys and wallets that sign a user in: the list, and where they confirm, are linked, and set a new PIN. */
export function signInMethodUrls(username: string) {
  return {
    list: apiUrl('/api/users/:username/sign-in-methods', { username }),
    confirmByPasskey: apiUrl('/api/users/:username/confirm/passkey', { username }),
    confirmByWallet: apiUrl('/api/users/:username/confirm/wallet', { username }),
    askPasskey: apiUrl('/api/users/:username/passkeys/challenge', { username }),
    passkeys: apiUrl('/api/users/:username/passkeys', { username }),
    passkey: (id: string) => apiUrl('/api/users/:username/passkeys/:id', { username, id }),
    askWallet: apiUrl('/api/users/:username/sign-in-wallets/challenge', { username }),
    wallets: apiUrl('/api/users/:username/sign-in-wallets', { username }),
    wallet: (address: string) => apiUrl('/api/users/:username/sign-in-wallets/:address', { username, address }),
    resetPin: apiUrl('/api/users/:username/reset-pin', { username }),
  }
}
