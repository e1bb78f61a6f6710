import { readContract } from '../chain/readContract.ts'
import { warn } from '../finding.ts'
import { toAddress } from '../networkFile.ts'
import { ask } from './ask.ts'
import { findCreationBlock, hasCodeAt } from './findCreationBlock.ts'
import { findLogBefore } from './findLogBefore.ts'
import { judgeBoost, judgeBoostStart } from './judgeBoost.ts'
import type { UsableNode, Visit } from './visit.ts'

/** Looks at the boost contract, where the network file names one: what it is, whether it can be paid, where its ledger begins. */
export async function checkBoost(visit: Visit, node: UsableNode): Promise<void> {
  const { boost, usdc } = visit.patient.network
  if (!boost) return
  const to = toAddress(boost.address)
  const { chain } = node
  const facts = await ask(
    node,
    async () => {
      const [hasCode, price, durationSeconds, paused, takesUsdc] = await Promise.all([
        hasCodeAt(chain, to),
        readContract(chain, { to, name: 'boostPrice' }),
        readContract(chain, { to, name: 'boostDuration' }),
        readContract(chain, { to, name: 'paused' }),
        readContract(chain, { to, name: 'isPaymentTokenAllowed', args: [toAddress(usdc.address)] }),
      ])
      return { hasCode, price, durationSeconds, paused, takesUsdc }
    },
    visit,
  )
  if (facts.kind !== 'answer') {
    const trouble = { field: 'boost.address', found: `"${facts.said}"`, wanted: "the contract's answers" }
    return visit.say(warn({ ...trouble, todo: 'Not checked: try again' }))
  }
  const findings = judgeBoost(facts.value)
  for (const finding of findings) visit.say(finding)
  if (findings[0]?.level !== 'ok') return
  const { startBlock } = boost
  const createdAt = await findCreationBlock(visit, node, to, startBlock)
  // Its first log is of its creation.
  const before =
    createdAt === undefined
      ? await findLogBefore(visit, node, { contract: to, from: 0, startBlock, width: visit.patient.network.chain.logRangeMax })
      : { logBefore: undefined, lookedAtAll: true }
  visit.say(judgeBoostStart({ startBlock, createdAt, ...before }))
}
