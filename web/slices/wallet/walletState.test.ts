import { describe, expect, it } from 'vitest'
import type { FoundWallet } from './discoverWallets.ts'
import { createPairing } from './walletConnect/pairing.ts'
import { nextWallet, type WalletEvent, type WalletState } from './walletState.ts'

const provider = { request: () => Promise.reject(new Error('no story asks a wallet')) }
const fox: FoundWallet = { id: 'io.fox', name: 'Fox', provider }
const owl: FoundWallet = { id: 'io.owl', name: 'Owl', provider }
const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bob = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const start: WalletState = { kind: 'disconnected', attempt: 0, wallets: [] }
const returning: WalletState = { kind: 'connecting', attempt: 0, wallets: [], silent: true }

/** The state after a story. */
function tell(events: readonly WalletEvent[], from: WalletState = start): WalletState {
  return events.reduce(nextWallet, from)
}

const asked: WalletEvent = { kind: 'asked' }
const foundFox: WalletEvent = { kind: 'found', attempt: 1, wallets: [fox] }
const connected: WalletEvent = { kind: 'connected', attempt: 1, address: alice, chainId: 31_337 }
const toConnected = [asked, foundFox, connected]

describe('connecting', () => {
  it('asks the only wallet at once, and is connected with its answer', () => {
    expect(tell([asked])).toEqual({ kind: 'connecting', attempt: 1, wallets: [], silent: false })
    expect(tell([asked, foundFox])).toEqual({ kind: 'connecting', attempt: 1, wallets: [fox], wallet: fox, silent: false })
    expect(tell(toConnected)).toEqual({
      kind: 'connected',
      attempt: 1,
      wallet: fox,
      address: alice,
      chainId: 31_337,
      switching: false,
    })
  })

  it('lets the visitor choose among several, also one that announces itself late', () => {
    const several: WalletEvent = { kind: 'found', attempt: 1, wallets: [fox, owl] }
    expect(tell([asked, several])).toEqual({ kind: 'choosing', attempt: 1, wallets: [fox, owl] })
    const third: FoundWallet = { id: 'io.elk', name: 'Elk', provider }
    expect(tell([asked, several, { kind: 'found', attempt: 1, wallets: [fox, owl, third] }])).toMatchObject({
      kind: 'choosing',
      wallets: [fox, owl, third],
    })
    expect(tell([asked, several, { kind: 'chosen', wallet: owl }])).toEqual({
      kind: 'connecting',
      attempt: 2,
      wallets: [fox, owl],
      wallet: owl,
      silent: false,
    })
  })

  it('asks a wallet on another device only when it is chosen, and shows it by the name that it has then', () => {
    const { pairing } = createPairing('relay')
    const afar: FoundWallet = { id: 'walletconnect', name: 'WalletConnect', provider, pairing }
    expect(tell([asked, { kind: 'found', attempt: 1, wallets: [afar] }])).toEqual({
      kind: 'choosing',
      attempt: 1,
      wallets: [afar],
    })
    const story: WalletEvent[] = [
      asked,
      { kind: 'found', attempt: 1, wallets: [afar] },
      { kind: 'chosen', wallet: afar },
      { kind: 'connected', attempt: 2, address: alice, chainId: 31_337, wallet: { ...afar, name: 'Pocket' } },
    ]
    expect(tell(story)).toMatchObject({ kind: 'connected', address: alice, wallet: { id: 'walletconnect', name: 'Pocket' } })
    // Back after a reload: it was chosen then.
    expect(tell([{ kind: 'found', attempt: 0, wallets: [afar] }], returning)).toMatchObject({ kind: 'connecting', wallet: afar })
  })

  it('says what the specification says when there is no wallet', () => {
    expect(tell([asked, { kind: 'found', attempt: 1, wallets: [] }])).toEqual({
      kind: 'disconnected',
      attempt: 1,
      wallets: [],
      error: 'MetaMask is not installed',
    })
  })

  it('keeps the error of a refusal until the next attempt', () => {
    const refused = tell([asked, foundFox, { kind: 'refused', attempt: 1, error: 'Failed to connect wallet' }])
    expect(refused).toEqual({ kind: 'disconnected', attempt: 1, wallets: [fox], error: 'Failed to connect wallet' })
    expect(tell([{ kind: 'chosen', wallet: fox }], refused)).toEqual({
      kind: 'connecting',
      attempt: 2,
      wallets: [fox],
      wallet: fox,
      silent: false,
    })
    expect(tell([asked], refused)).not.toHaveProperty('error')
  })

  it('drops the late answer of an attempt that was cancelled', () => {
    const cancelled = tell([asked, foundFox, { kind: 'left' }])
    expect(cancelled).toEqual({ kind: 'disconnected', attempt: 2, wallets: [] })
    expect(tell([connected], cancelled)).toBe(cancelled)
    expect(tell([{ kind: 'refused', attempt: 1, error: 'too late' }], cancelled)).toBe(cancelled)
  })

  it('drops the late answer of a wallet when another was chosen meanwhile', () => {
    const other = tell([asked, foundFox, { kind: 'chosen', wallet: owl }])
    expect(tell([connected], other)).toBe(other)
    expect(tell([{ ...connected, attempt: 2 }], other)).toMatchObject({ kind: 'connected', wallet: owl })
  })

  it('is not begun again by who is connected', () => {
    const state = tell(toConnected)
    expect(tell([asked, { kind: 'chosen', wallet: owl }], state)).toBe(state)
  })
})

describe('a connected wallet', () => {
  it('changes its account: the balance is of nobody until it is read', () => {
    const withBalance = tell([
      ...toConnected,
      { kind: 'balanceRead', attempt: 1, address: alice, chainId: 31_337, balanceRaw: 5n },
    ])
    expect(withBalance).toMatchObject({ balanceRaw: 5n })
    const other = tell([{ kind: 'accountChanged', attempt: 1, address: bob }], withBalance)
    expect(other).toMatchObject({ kind: 'connected', address: bob })
    expect(other).not.toHaveProperty('balanceRaw')
    const late: WalletEvent = { kind: 'balanceRead', attempt: 1, address: alice, chainId: 31_337, balanceRaw: 5n }
    expect(tell([late], other)).toBe(other)
  })

  it('changes its chain, there and back', () => {
    const away = tell([...toConnected, { kind: 'chainChanged', attempt: 1, chainId: 1 }])
    expect(away).toMatchObject({ kind: 'connected', chainId: 1, address: alice })
    expect(tell([{ kind: 'chainChanged', attempt: 1, chainId: 31_337 }], away)).toMatchObject({ chainId: 31_337 })
  })

  it('is asked to switch; its refusal is kept until it is asked again', () => {
    const away = tell([asked, foundFox, { ...connected, chainId: 1 }, { kind: 'switchAsked', attempt: 1 }])
    expect(away).toMatchObject({ chainId: 1, switching: true })
    const refused = tell([{ kind: 'switchEnded', attempt: 1, error: 'no' }], away)
    expect(refused).toMatchObject({ switching: false, error: 'no' })
    expect(tell([{ kind: 'switchAsked', attempt: 1 }], refused)).not.toHaveProperty('error')
    const there = tell(
      [
        { kind: 'chainChanged', attempt: 1, chainId: 31_337 },
        { kind: 'switchEnded', attempt: 1 },
      ],
      away,
    )
    expect(there).toEqual({ kind: 'connected', attempt: 1, wallet: fox, address: alice, chainId: 31_337, switching: false })
  })

  it('is left by the visitor: everything is as at the start', () => {
    expect(tell([...toConnected, { kind: 'left' }])).toEqual({ kind: 'disconnected', attempt: 2, wallets: [] })
  })

  it('leaves by itself when it names no account any more, and what it says later is dropped', () => {
    const gone = tell([...toConnected, { kind: 'accountChanged', attempt: 1, address: undefined }])
    expect(gone).toEqual({ kind: 'disconnected', attempt: 2, wallets: [] })
    expect(tell([{ kind: 'chainChanged', attempt: 1, chainId: 1 }], gone)).toBe(gone)
  })
})

describe('after a reload', () => {
  it('comes back without a choice', () => {
    const found: WalletEvent = { kind: 'found', attempt: 0, wallets: [fox] }
    expect(tell([found, { ...connected, attempt: 0 }], returning)).toMatchObject({ kind: 'connected', wallet: fox })
  })

  it('says nothing when the wallet is gone or names no account', () => {
    expect(tell([{ kind: 'refused', attempt: 0, error: 'locked' }], returning)).toEqual({
      kind: 'disconnected',
      attempt: 0,
      wallets: [],
    })
  })

  it('is overtaken by a visitor who connects again', () => {
    const asking = tell([asked], returning)
    expect(tell([{ kind: 'refused', attempt: 0 }], asking)).toBe(asking)
  })
})
