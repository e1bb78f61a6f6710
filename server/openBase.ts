import { existsSync } from 'node:fs'
import type { Failure } from '@chainboard/core'
import { requireGivenPepper } from './accounts/loadPepper.ts'
import type { CheckWallet } from './accounts/methods/methodParts.ts'
import type { Chain } from './chain/chain.ts'
import { createNodeCalls } from './chain/nodeCalls.ts'
import { toRecallingChain } from './chain/recallingChain.ts'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import { createSignatureCheck } from './keys/checkSignature.ts'
import type { SourceLog } from './market/pollSource.ts'
import { openAccounts } from './openAccounts.ts'
import { openKeys } from './openKeys.ts'
import { openOperators } from './openOperators.ts'
import { findLeftWal, openServerStore, openStore } from './store/openStore.ts'
import { toRequestStore } from './store/requestStore.ts'

type Parts = {
  /** A chain for everything, instead of the nodes of the configuration. */
  readonly given: Chain | undefined
  readonly log: SourceLog
  readonly onLost: (failure: Failure) => void
  /** Whether this server is the one that removes what is over. */
  readonly maySweep: () => boolean
}

export type Base = Awaited<ReturnType<typeof openBase>>

/**
 * What all else is made from: the nodes, the store, and on it users and keys.
 * @throws Failure of the store, which is closed then
 */
export async function openBase(config: Config, { given, log, onLost, maySweep }: Parts) {
  if ('databaseUrl' in config.store) requireGivenPepper(config.pepper)
  const nodeCalls = createNodeCalls(config.rpcUrls.length)
  const onOtherHashes = (text: string) => log.warn({}, text)
  const chain = toRecallingChain(
    given ?? createViemChain(config.rpcUrls, { paced: true, onOutcome: nodeCalls.count, onOtherHashes }),
  )
  const lacksDatabase = 'file' in config.store && existsSync(config.pepper.file) && !existsSync(config.store.file)
  const store = 'file' in config.store ? await openServerStore(config.store, onLost) : await openStore(config.store)
  const requestStore = toRequestStore(store)
  const checkSignature = createSignatureCheck(chain)
  const checkWallet: CheckWallet = (signed) => checkSignature(signed, { mayBeUndeployed: true })
  const users = await openAccounts(config, { store, requestStore, checkWallet, maySweep }, (err) =>
    log.warn({ err }, 'Expired sessions could not be removed'),
  ).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  if (lacksDatabase)
    log.warn(
      config.store,
      'Found a pepper but no database: starting with an empty site. If that is wrong, stop the server and restore a backup',
    )
  const hashClient = (client: string) => users.keyedHash('quota', client)
  const operators = openOperators(config, {
    ...{ store: requestStore, chain, hashClient, log, maySweep },
    hashAct: (text) => users.keyedHash('act', text),
  })
  const keys = openKeys(config, {
    ...{ store: requestStore, chain, hashClient, act: operators.act, maySweep },
    onTrouble: (err) => log.warn({ err }, 'Keys could not be refreshed'),
  })
  const close = async () => {
    await users.stop()
    await keys.stop()
    await operators.stop()
    await store.close()
    const wal = findLeftWal(config.store)
    if (wal)
      log.warn(
        { wal },
        'Another process is still reading the database. The newest rows are in this file: keep it with chainboard.db',
      )
  }
  return { given, log, nodeCalls, chain, store, requestStore, users, keys, operators, close }
}
