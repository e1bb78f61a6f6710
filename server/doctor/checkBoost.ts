import { readContract } from '../chain/readContract.ts'
import { warn } from '../finding.ts'
import { toAddress } from '../networkFile.ts'
import { ask } from './ask.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'
import { findCreationBlock, hasCodeAt } from './findCreationBlock.ts'
import { findLogBefore } from './findLogBefore.ts'
import { judgeBoost, judgeBoostStart } from './judgeBoost.ts'

/** Looks at the boost contract, where the network file names one: what it is, whether it can be paid, where its ledger begins. */
export async function checkBoost(run: DoctorRun, node: UsableNode): Promise<void> {
  const { boost, usdc } = run.examined.network
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
    run,
  )
  if (facts.kind !== 'answer') {
    const trouble = { field: 'boost.address', found: `"${facts.said}"`, wanted: "the contract's answers" }
    return run.say(warn({ ...trouble, todo: 'Not checked: try again' }))
  }
  const findings = judgeBoost(facts.value)
  for (const finding of findings) run.say(finding)
  if (findings[0]?.level !== 'ok') return
  const { startBlock } = boost
  const createdAt = await findCreationBlock(run, node, to, startBlock)
  // Its first log is of its creation.
  const before =
    createdAt === undefined
      ? await findLogBefore(run, node, { contract: to, from: 0, startBlock, width: run.examined.network.chain.logRangeMax })
      : { logBefore: undefined, lookedAtAll: true }
  run.say(judgeBoostStart({ startBlock, createdAt, ...before }))
}
