import { fieldOf } from '../../../lib/untrusted.ts'
import { openClient, type RelayClient } from './openClient.ts'
import type { PairingDesk } from './pairing.ts'
import { pairWithAny } from './pairWithAny.ts'
import { type Approved, readSession } from './readSession.ts'
import type { Relay, SiteFacts } from './relay.ts'
import type { SessionNews, SessionPort } from './sessionProvider.ts'
import { type Active, findStore, forgetActive, readActive, type Store, sweep, writeActive } from './sessionStorage.ts'
import { within } from './within.ts'

/** So long a wallet that is left is tried to be told. */
const farewellMsMax = 5_000

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

/** A wallet is asked after its session has ended. EIP-1193's code for a wallet that is not there. */
class NoSession extends Error {
  readonly code = 4900
}

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
    const read = () => readSession(client.session.get(active.topic))
    const own: Open = { link, active, approved: read() }
    open = own
    desk.setPeerName(own.approved.peerName)
    const isOpen = () => open === own
    watchSession(client, active.topic, {
      onUpdate() {
        if (!isOpen()) return
        own.approved = read()
        changed()
      },
      onEvent: (name, data) => isOpen() && onNews({ kind: 'event', name, data }),
      onEnd: () => isOpen() && void leave(own, { isKnown: true }),
    })
  }

  /** Forgets a session; of what the wallet does not know, it is told. */
  async function leave({ link, active }: Open, { isKnown }: { readonly isKnown: boolean }): Promise<void> {
    open = undefined
    forgetActive(store, active.folder)
    changed()
    if (!isKnown) await sayFarewell(link, active.topic)
    await link.close()
  }

  globalThis.addEventListener?.('storage', () => {
    const other = readActive(store)
    // The tab that ended it has told the wallet; one that began another has not.
    if (open && other?.folder !== open.active.folder) void leave(open, { isKnown: other === undefined })
  })
  const known = await reopen(store, makeClient)
  if (known) enter(known.link, known.active)
  return {
    read: () => open?.approved,
    async ask(onChain, { method, params }) {
      if (!open) throw new NoSession('There is no session')
      const { link, active } = open
      return link.client.request({ topic: active.topic, chainId: `eip155:${onChain}`, request: { method, params } })
    },
    async pair() {
      const { link, active } = await pairWithAny(makeClient, chainId, desk).finally(() => desk.show({ kind: 'opening' }))
      writeActive(store, active)
      enter(link, active)
    },
    async end() {
      if (open) await leave(open, { isKnown: false })
    },
    awaitChange: (msMax) => within(msMax, new Promise<void>((resolve) => waiting.add(resolve))).catch(() => undefined),
  }
}

/** The session of an earlier visit; undefined when there is none that is good. */
async function reopen(
  store: Store,
  makeClient: (folder: string) => Promise<RelayClient>,
): Promise<Omit<Open, 'approved'> | undefined> {
  const active = readActive(store)
  sweep(store, active?.folder)
  if (!active) return undefined
  const link = await makeClient(active.folder)
  const { client } = link
  // Keys may be gone where the storage was full, or was cleared in part.
  const isGood = client.session.keys.includes(active.topic) && client.core.crypto.keychain.has(active.topic)
  if (isGood) return { link, active }
  forgetActive(store, active.folder)
  await link.close()
  return undefined
}

type Watcher = {
  readonly onUpdate: () => void
  readonly onEvent: (name: string, data: unknown) => void
  readonly onEnd: () => void
}

/** Calls back with what a wallet tells of one session. */
function watchSession(client: RelayClient['client'], topic: string, { onUpdate, onEvent, onEnd }: Watcher): void {
  const isOurs = (event: unknown) => fieldOf(event, 'topic') === topic
  client.on('session_update', (event) => isOurs(event) && onUpdate())
  client.on('session_event', (event) => isOurs(event) && onEvent(event.params.event.name, event.params.event.data))
  for (const end of ['session_delete', 'session_expire'] as const) client.on(end, (event) => isOurs(event) && onEnd())
}

async function sayFarewell({ client }: RelayClient, topic: string): Promise<void> {
  const reason = { code: 6000, message: 'User disconnected.' }
  await within(farewellMsMax, client.disconnect({ topic, reason })).catch(() => undefined)
}
