import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import { fail } from '../finding.ts'
import { toAddress } from '../networkFile.ts'
import { ask } from './ask.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'
import { findCreationBlock, hasCodeAt } from './findCreationBlock.ts'
import { findLogBefore, poolCreatedTopic } from './findLogBefore.ts'
import { type FactoryFacts, feesKnown, judgeFactory, judgeStart } from './judgeFactory.ts'

/** Looks at the factory and at the block where the index begins. @returns the fees it allows; undefined: it is no factory */
export async function checkFactory(run: DoctorRun, node: UsableNode): Promise<readonly number[] | undefined> {
  const { dex } = run.examined.network
  const factory = toAddress(dex.factory)
  const facts = await ask(node, () => readFactoryFacts(node.chain, factory), run)
  if (facts.kind !== 'answer') {
    run.say(fail({ field: 'dex.factory', found: `"${facts.said}"`, wanted: 'answers of the factory', todo: 'Use another node' }))
    return undefined
  }
  const finding = judgeFactory(facts.value)
  run.say(finding)
  if (finding.level === 'fail') return undefined
  await checkStart(run, node, factory)
  return [...facts.value.spacings.keys()]
}

/** What the contract at a factory's address says of itself. @throws Failure of the codes `rpc-…` */
export async function readFactoryFacts(chain: Pick<Chain, 'forward'>, factory: Address): Promise<FactoryFacts> {
  const [hasCode, owner, ...spacings] = await Promise.all([
    hasCodeAt(chain, factory),
    readContract(chain, { to: factory, name: 'owner' }),
    ...feesKnown.map((fee) => readContract(chain, { to: factory, name: 'feeAmountTickSpacing', args: [fee] })),
  ])
  const allowed = feesKnown.flatMap((fee, i) => (spacings[i] ? [[fee, spacings[i]] as const] : []))
  return { hasCode, hasOwner: owner !== undefined, spacings: new Map<number, number>(allowed) }
}

async function checkStart(run: DoctorRun, node: UsableNode, factory: Address): Promise<void> {
  const { startBlock } = run.examined.network.dex
  const createdAt = await findCreationBlock(run, node, factory, startBlock)
  if (createdAt !== undefined && createdAt >= startBlock) {
    run.say(judgeStart({ startBlock, createdAt, poolBefore: undefined, lookedAtAll: true }))
    return
  }
  const blocks = { from: createdAt ?? 0, startBlock, width: run.examined.network.chain.logRangeMax }
  const { logBefore, lookedAtAll } = await findLogBefore(run, node, { contract: factory, topic: poolCreatedTopic, ...blocks })
  run.say(judgeStart({ startBlock, createdAt, poolBefore: logBefore, lookedAtAll }))
}
