import { Failure } from '@chainboard/core'
import { checkFigure } from './checkFigure.ts'
import { findUnprovable, judge, type Verdict } from './judge.ts'
import { judgeChoice, judgeRules } from './judgeChoice.ts'
import { readChoice, toValuation } from './readChoice.ts'
import { explainFailure, readEvidence } from './readEvidence.ts'
import type { Asking } from './readPoolEvents.ts'
import type { SiteClaim } from './readSite.ts'

/**
 * Whether a node gives what a site claims: that it goes by the rules that it publishes, the price from the pools that it names, then
 * every field of its receipt by all pools that these rules let count, then the figure that was asked for.
 * @param hide takes what may be a key out of the node's own words
 */
export async function verifyClaim(asking: Asking, claim: SiteClaim, hide: (said: string) => string): Promise<Verdict> {
  const { receipt } = claim
  const unprovable = findUnprovable(receipt)
  if (unprovable) return { kind: 'cannot-tell', why: unprovable }
  try {
    return await verifyAll(asking, claim)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const why = await explainFailure(asking.chain, receipt, { code: error.code, said: hide(error.message) })
    return { kind: 'cannot-tell', why }
  }
}

async function verifyAll(asking: Asking, claim: SiteClaim): Promise<Verdict> {
  const { receipt, figure, chainId, rules, listed } = claim
  if (!rules) return { kind: 'cannot-tell', why: 'The site does not publish its pricing rules' }
  const foreign = judgeRules({ ...claim, rules })
  if (foreign.length > 0) return { kind: 'not-equal', computed: undefined, pool: 0, differences: foreign }
  asking.onStep?.({ kind: 'rules' })
  const evidence = await readEvidence(asking, receipt, chainId)
  const priced = judge(receipt, evidence, chainId)
  const { window } = evidence
  if (priced.kind !== 'equal') return priced
  asking.onStep?.({ kind: 'price', computed: priced.computed })
  if (!window) return { kind: 'cannot-tell', why: 'The receipt does not give the window of its medians' }
  const choice = await readChoice(asking, receipt, { rules, window })
  const differences = judgeChoice({ receipt, rules, listed }, choice.book)
  if (differences.length > 0) return { kind: 'not-equal', computed: priced.computed, pool: 0, differences }
  asking.onStep?.({ kind: 'choice', pools: choice.book.pools.length })
  if (!figure) return priced
  const check = await checkFigure(asking, figure, { rules: toValuation(rules), last: window.last, choice, listed })
  if ('problem' in check) return { kind: 'cannot-tell', why: check.problem }
  if (check.differences.length === 0) return { ...priced, figure: check.found }
  return { kind: 'not-equal', computed: undefined, pool: 0, differences: check.differences }
}
