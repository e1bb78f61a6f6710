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
import type { DoctorRun, Examined } from './doctorRun.ts'

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
export async function examine(examined: Examined, options: ExamineOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  const run: DoctorRun = {
    examined,
    callTimeoutMs: options.callTimeoutMs ?? callTimeoutMsDefault,
    nowSeconds: options.nowSeconds ?? (() => Date.now() / 1000),
    signal: AbortSignal.timeout(options.totalMs ?? totalMsDefault),
    say: (finding) => {
      findings.push(finding)
      options.say(finding)
    },
  }
  await examineAll(run, options.heading)
  if (run.signal.aborted) {
    const found = `no end after ${(options.totalMs ?? totalMsDefault) / 1000} s`
    run.say(warn({ field: 'doctor', found, wanted: 'an end', todo: 'The rest was not checked: use a faster node' }))
  }
  return findings
}

async function examineAll(run: DoctorRun, heading: (text: string) => void): Promise<void> {
  heading('Nodes')
  const nodes = await checkNodes(run)
  for (const node of nodes) if (!run.signal.aborted) await checkLogs(run, node)
  const node = nodes[0]
  heading('Exchange and tokens')
  if (!node) {
    const todo = 'Fix the nodes first'
    run.say(fail({ field: 'dex', found: 'no node to ask', wanted: 'one that answers', todo }))
  } else {
    const fees = await checkFactory(run, node)
    await checkNamedTokens(run, node)
    await checkListedTokens(run, node)
    if (fees) await checkPools(run, node, fees)
    await checkWallets(run, node)
    await checkBoost(run, node)
  }
  heading('Pages and sources')
  checkLinks(run)
  await checkPublicRpc(run)
  await checkSources(run, node)
}
