import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import { createSignatureCheck } from './keys/checkSignature.ts'
import { judgeMessage } from './keys/judgeMessage.ts'
import type { SourceLog } from './market/pollSource.ts'
import { type AlertCounts, createAlertLog } from './operators/alertLog.ts'
import type { Act } from './operators/createActs.ts'
import { createActs } from './operators/createActs.ts'
import { createOperators, type Operators } from './operators/createOperators.ts'
import { sweepOperators } from './operators/sweepOperators.ts'
import { pause } from './pause.ts'
import type { Store } from './store/store.ts'

const sweepEveryMs = 600_000

export type OpenOperators = {
  readonly operators: Operators
  readonly act: Act
  readonly alertCounts: () => AlertCounts
  stop(): Promise<void>
}

type Parts = {
  readonly store: Store
  readonly chain: Pick<Chain, 'forward'>
  /** Hashes that nobody can work out without the pepper. */
  readonly hashClient: (client: string) => string
  readonly hashAct: (text: string) => string
  readonly log: SourceLog
  /** Whether what is over is to be removed by this server at the moment. */
  readonly maySweep: () => boolean
}

/** Operators of one site, and the log of what they do. */
export function openOperators(
  { network, domain, adminWallets }: Pick<Config, 'network' | 'domain' | 'adminWallets'>,
  { store, chain, hashClient, hashAct, log, maySweep }: Parts,
): OpenOperators {
  const checkSignature = createSignatureCheck(chain)
  const site = { siteName: network.siteName, domain }
  const alerts = createAlertLog(log)
  const act = createActs({ store, hashAct, hashClient, onEntry: alerts.note, nowMs: Date.now })
  const operators = createOperators({
    store,
    roles: new Map(adminWallets.map(({ wallet, role }) => [wallet, role])),
    act,
    judge: async (proof, purpose) => {
      const claim = judgeMessage(proof, purpose, site, Date.now())
      await checkSignature(claim, { mayBeUndeployed: false })
      return claim
    },
    nowMs: Date.now,
  })
  const stopping = new AbortController()
  const sweeping = (async () => {
    while (!stopping.signal.aborted) {
      if (maySweep())
        await sweepOperators({ store, nowMs: Date.now }).catch((err: unknown) =>
          log.warn({ err }, 'Ended sessions of operators could not be removed'),
        )
      await pause(sweepEveryMs, stopping.signal)
    }
  })()
  return {
    operators,
    act,
    alertCounts: alerts.counts,
    stop: async () => {
      stopping.abort()
      await sweeping
    },
  }
}
