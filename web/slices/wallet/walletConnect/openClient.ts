import { pino } from '@walletconnect/logger'
import { SignClient } from '@walletconnect/sign-client'
import { guardRelay } from './guardRelay.ts'
import type { Relay, SiteFacts } from './relay.ts'
import { openFolder, type Store } from './sessionStorage.ts'

export type RelayClient = Awaited<ReturnType<typeof openClient>>

/** Messages that could not be sent; more would take a visitor who pays for an hour without a network. */
const givenUpMax = 100

type Options = { readonly relay: Relay; readonly site: SiteFacts; readonly store: Store; readonly folder: string }

/**
 * WalletConnect's client, talking to the relay and nobody else: no telemetry, no attestation of this site by a third party (wallets then show
 * it as not verified), and nothing in the open about what a message is of.
 * @returns before the relay has answered
 */
export async function openClient({ relay, site, store, folder }: Options) {
  const storage = openFolder(store, folder)
  const client = await SignClient.init({
    projectId: relay.projectId,
    relayUrl: relay.relayUrl,
    metadata: { name: site.name, description: site.name, url: site.origin, icons: [] },
    storage,
    customStoragePrefix: folder,
    telemetryEnabled: false,
    // By a level alone it would keep every message, in the clear, for a report.
    logger: pino({ level: 'silent' }),
  })
  // It leaves itself, with its keys, where every script of the page and its own next client find it.
  for (const name of ['', '_count']) Reflect.deleteProperty(globalThis, `_walletConnectCore_${folder}${name}`)
  const { core } = client
  const { relayer } = core
  const givenUp = createGivenUp()
  guardRelay(relayer, givenUp.maySend)
  // It would be a frame of verify.walletconnect.org in this page, told of every request.
  core.verify.register = async () => ''
  // Beside the encrypted message it would name the method, the chain, the contract and the transaction.
  const publish = relayer.publish.bind(relayer)
  relayer.publish = async (topic, message, { tvf: _, ...options } = {}) => {
    try {
      await publish(topic, message, options)
    } catch (error) {
      givenUp.add(message)
      throw error
    }
  }
  return {
    client,
    /** Ends all traffic, and forgets every key. */
    async close(): Promise<void> {
      core.heartbeat.stop()
      // A network that comes back would open it once more.
      relayer.transportOpen = async () => undefined
      const shut = () => relayer.transportClose().catch(() => undefined)
      // One that is being opened now.
      relayer.on('relayer_connect', shut)
      storage.clear()
      await shut()
    },
  }
}

/** Messages of which the page has told the visitor that they failed: a payment that is sent after that may be made twice. */
function createGivenUp() {
  const messages = new Set<unknown>()
  return {
    add(message: string): void {
      messages.add(message)
      for (const oldest of messages) {
        if (messages.size <= givenUpMax) break
        messages.delete(oldest)
      }
    },
    maySend: (message: unknown) => !messages.has(message),
  }
}
