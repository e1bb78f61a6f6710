import { type Finding, fail, warn } from '../finding.ts'
import { checkBoost } from './checkBoost.ts'
import { checkFactory } from './checkFactory.ts'
import { checkLogs } from './checkLogs.ts'
import { checkNodes } from './checkNodes.ts'
import { checkLinks, checkPublicRpc } from './checkPages.ts'
import { checkPools } from './checkPools.ts'
import { checkSources } from './checkSources.ts'
import { checkListedTokens, checkNamedTokens } from './checkTokens.ts'
import { checkWallets } from './checkWallets.ts'
import type { Patient, Visit } from './visit.ts'

const callTimeoutMsDefault = 10_000
const totalMsDefault = 300_000

export type ExamineOptions = {
  /** A finding as soon as it is known, and the heading before the first of its kind. */
  readonly say: (finding: Finding) => void
  readonly heading: (text: string) => void
  readonly callTimeoutMs?: number
  readonly totalMs?: number
  readonly nowSeconds?: () => number
}

/** Examines a network: its nodes, its exchange, its tokens, its links and sources. Asks and writes nothing else. */
export async function examine(patient: Patient, options: ExamineOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  const visit: Visit = {
    patient,
    callTimeoutMs: options.callTimeoutMs ?? callTimeoutMsDefault,
    nowSeconds: options.nowSeconds ?? (() => Date.now() / 1000),
    signal: AbortSignal.timeout(options.totalMs ?? totalMsDefault),
    say: (finding) => {
      findings.push(finding)
      options.say(finding)
    },
  }
  await examineAll(visit, options.heading)
  if (visit.signal.aborted) {
    const found = `no end after ${(options.totalMs ?? totalMsDefault) / 1000} s`
    visit.say(warn({ field: 'doctor', found, wanted: 'an end', todo: 'The rest was not checked: use a faster node' }))
  }
  return findings
}

async function examineAll(visit: Visit, heading: (text: string) => void): Promise<void> {
  heading('Nodes')
  const nodes = await checkNodes(visit)
  for (const node of nodes) if (!visit.signal.aborted) await checkLogs(visit, node)
  const node = nodes[0]
  heading('Exchange and tokens')
  if (!node) {
    const todo = 'Fix the nodes first'
    visit.say(fail({ field: 'dex', found: 'no node to ask', wanted: 'one that answers', todo }))
  } else {
    const fees = await checkFactory(visit, node)
    await checkNamedTokens(visit, node)
    await checkListedTokens(visit, node)
    if (fees) await checkPools(visit, node, fees)
    await checkWallets(visit, node)
    await checkBoost(visit, node)
  }
  heading('Pages and sources')
  checkLinks(visit)
  await checkPublicRpc(visit)
  await checkSources(visit, node)
}
