import { fieldOf } from '../../../lib/untrusted.ts'
import { readErrorCode } from '../readAnswer.ts'
import { openClient, type RelayClient } from './openClient.ts'
import type { PairingDesk } from './pairing.ts'
import { type Approved, readSession } from './readSession.ts'
import type { Relay, SiteFacts } from './relay.ts'
import { type Active, findStore, forgetActive, readActive, type Store, sweep, writeActive } from './sessionStorage.ts'
import { type SessionNews, type SessionPort, walletMethods } from './sessionProvider.ts'

/** A relay that has not taken a proposal by then is as good as none. */
const openMsMax = 10_000
/** So long a wallet that is left is tried to be told. */
const farewellMsMax = 5_000
/** Nobody looks for a wallet on a chain that a wallet does not know: those that have only this one can still sign. */
const everyWalletsChain = 1
const cancelled = 4001

type Options = {
  readonly relay: Relay
  readonly site: SiteFacts
  readonly chainId: number
  readonly desk: PairingDesk
  /** What the wallet tells. */
  readonly onNews: (news: SessionNews) => void
  readonly store?: Store
}

type Open = { readonly link: RelayClient; readonly active: Active; approved: Approved }

/** The visitor, or a wallet, said no: as EIP-1193 has it. */
class Cancelled extends Error {
  readonly code = cancelled
}
/** It took longer than it may. */
class TooLate extends Error {}

/**
 * The session with a wallet on another device: the one of an earlier visit, if it is still good, or else none until a wallet is paired.
 * A session is this browser's: when another tab ends it or begins another one, it is over here as well.
 */
export async function openSession({ relay, site, chainId, desk, onNews, store = findStore() }: Options): Promise<SessionPort> {
  let open: Open | undefined
  const waiting = new Set<() => void>()
  const makeClient = (folder: string) => openClient({ relay, site, store, folder })

  function changed(): void {
    onNews({ kind: 'changed' })
    for (const resolve of waiting) resolve()
    waiting.clear()
  }

  /** Takes over a session, and hears of it from then on. */
  function enter(link: RelayClient, active: Active): void {
    const { client } = link
    const isOurs = (event: unknown) => open?.link === link && fieldOf(event, 'topic') === active.topic
    const read = () => readSession(client.session.get(active.topic))
    const own: Open = { link, active, approved: read() }
    open = own
    desk.setPeerName(own.approved.peerName)
    client.on('session_update', (event) => {
      if (!isOurs(event)) return
      own.approved = read()
      changed()
    })
    client.on('session_event', (event) => {
      const told = event.params.event
      if (isOurs(event)) onNews({ kind: 'event', name: told.name, data: told.data })
    })
    for (const end of ['session_delete', 'session_expire'] as const) client.on(end, (event) => isOurs(event) && void leave(own, { isKnown: true }))
  }

  /** Forgets a session; of what the wallet does not know, it is told. */
  async function leave({ link, active }: Open, { isKnown }: { readonly isKnown: boolean }): Promise<void> {
    open = undefined
    forgetActive(store, active.folder)
    changed()
    if (!isKnown) await sayFarewell(link, active.topic)
    await link.close()
  }

  async function comeBack(): Promise<void> {
    const active = readActive(store)
    sweep(store, active?.folder)
    if (!active) return
    const link = await makeClient(active.folder)
    const { client } = link
    // Keys may be gone where the storage was full, or was cleared in part.
    const isGood = client.session.keys.includes(active.topic) && client.core.crypto.keychain.has(active.topic)
    if (isGood) return enter(link, active)
    forgetActive(store, active.folder)
    await link.close()
  }

  globalThis.addEventListener?.('storage', () => {
    if (open && readActive(store)?.folder !== open.active.folder) void leave(open, { isKnown: false })
  })
  await comeBack()
  return {
    read: () => open?.approved,
    async ask(onChain, { method, params }) {
      if (!open) throw new Cancelled('There is no session')
      const { link, active } = open
      return await link.client.request({ topic: active.topic, chainId: `eip155:${onChain}`, request: { method, params } })
    },
    async pair() {
      const { link, active } = await pairWithAny(makeClient, chainId, desk)
      writeActive(store, active)
      enter(link, active)
    },
    async end() {
      if (open) await leave(open, { isKnown: false })
    },
    awaitChange: (msMax) => within(msMax, new Promise<void>((resolve) => waiting.add(resolve))).catch(() => undefined),
  }
}

type Paired = { readonly link: RelayClient; readonly active: Active }

/** Shows one code after the other until a wallet has answered, or the visitor has had enough. */
async function pairWithAny(
  makeClient: (folder: string) => Promise<RelayClient>,
  chainId: number,
  desk: PairingDesk,
): Promise<Paired> {
  for (;;) {
    desk.show({ kind: 'opening' })
    const wish = desk.awaitWish()
    const folder = crypto.randomUUID?.() ?? String(Math.random()).slice(2)
    const link = await makeClient(folder)
    const outcome = await Promise.race([pairOnce(link, chainId, desk), wish.then((kind) => ({ kind }))])
    if (outcome.kind === 'paired') return { link, active: { folder, topic: outcome.topic } }
    await link.close()
    if (outcome.kind === 'refused') throw outcome.error
    if (outcome.kind === 'cancel') throw new Cancelled('The visitor cancelled')
    if (outcome.kind === 'renew') continue
    desk.show({ kind: outcome.kind })
    if ((await wish) === 'cancel') throw new Cancelled('The visitor cancelled')
  }
}

type Outcome =
  | { readonly kind: 'paired'; readonly topic: string }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'expired' | 'unreachable' }

/** One code: from the proposal to the first answer of a wallet. */
async function pairOnce({ client }: RelayClient, chainId: number, desk: PairingDesk): Promise<Outcome> {
  const chains = [...new Set([chainId, everyWalletsChain])].map((id) => `eip155:${id}`)
  const wanted = { chains, methods: [...walletMethods], events: ['accountsChanged', 'chainChanged'] }
  const proposed = await within(openMsMax, client.connect({ optionalNamespaces: { eip155: wanted } })).catch(() => undefined)
  if (proposed?.uri === undefined) return { kind: 'unreachable' }
  const untilSeconds = Number(new URLSearchParams(proposed.uri.split('?')[1]).get('expiryTimestamp'))
  desk.show({ kind: 'waiting', uri: proposed.uri, untilSeconds })
  try {
    return { kind: 'paired', topic: (await proposed.approval()).topic }
  } catch (error) {
    // What has no code is the end of the code's time.
    return readErrorCode(error) ? { kind: 'refused', error } : { kind: 'expired' }
  }
}

async function sayFarewell({ client }: RelayClient, topic: string): Promise<void> {
  const reason = { code: 6000, message: 'User disconnected.' }
  await within(farewellMsMax, client.disconnect({ topic, reason })).catch(() => undefined)
}

async function within<T>(msMax: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate()), msMax)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
