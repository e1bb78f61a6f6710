import { expect, it, vi } from 'vitest'
import type { FoundWallet } from './discoverWallets.ts'

const kept = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
})
const { tellWallet } = await import('./walletStore.ts')

const provider = { request: () => Promise.reject(new Error('nobody is asked')) }
const fox: FoundWallet = { id: 'io.fox', name: 'Fox', provider }
const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it('a wallet is remembered when it is connected, and not again once another tab has left it', () => {
  tellWallet({ kind: 'asked' })
  tellWallet({ kind: 'found', attempt: 1, wallets: [fox] })
  expect([...kept]).toEqual([])
  tellWallet({ kind: 'connected', attempt: 1, address: alice, chainId: 31_337 })
  expect([...kept]).toEqual([['wallet', 'io.fox']])
  kept.clear()
  tellWallet({ kind: 'balanceRead', attempt: 1, address: alice, chainId: 31_337, balanceRaw: 5n })
  expect([...kept]).toEqual([])
})
