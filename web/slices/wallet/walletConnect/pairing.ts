/** How far the pairing with a wallet on another device is. */
export type PairingState =
  /** The relay is being reached. */
  | { readonly kind: 'opening' }
  /** Whoever has the link may answer, until `untilSeconds` (unix). */
  | { readonly kind: 'waiting'; readonly uri: string; readonly untilSeconds: number }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unreachable' }

export type Wish = 'renew' | 'cancel'

/** What a screen sees of a pairing, and what its visitor may wish. */
export type Pairing = {
  /** The relay's host, as text for a screen. */
  readonly relayHost: string
  /** The same object until it changes. */
  readonly read: () => PairingState
  /** Calls back after every change. @returns ends that */
  readonly subscribe: (listener: () => void) => () => void
  /** Another code, after one that has expired or could not be made. */
  readonly renew: () => void
  /** Ends the attempt; nothing when there is none. */
  readonly cancel: () => void
  /** What the connected wallet calls itself, made harmless. */
  readonly peerName: () => string | undefined
}

/** The side of a pairing that talks to the relay. */
export type PairingDesk = {
  readonly show: (state: PairingState) => void
  /** The visitor's next wish. */
  readonly awaitWish: () => Promise<Wish>
  readonly setPeerName: (name: string | undefined) => void
}

/** Both sides of a pairing. */
export function createPairing(relayHost: string): { readonly pairing: Pairing; readonly desk: PairingDesk } {
  let state: PairingState = { kind: 'opening' }
  let peerName: string | undefined
  let wishes = new Set<(wish: Wish) => void>()
  const listeners = new Set<() => void>()
  const tell = (wish: Wish) => {
    const told = wishes
    wishes = new Set()
    for (const resolve of told) resolve(wish)
  }
  return {
    pairing: {
      relayHost,
      read: () => state,
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      renew: () => tell('renew'),
      cancel: () => tell('cancel'),
      peerName: () => peerName,
    },
    desk: {
      show(next) {
        state = next
        for (const listener of listeners) listener()
      },
      awaitWish: () => new Promise((resolve) => wishes.add(resolve)),
      setPeerName(name) {
        peerName = name
      },
    },
  }
}
