import { askAlone } from '../chain/callMany.ts'
import { noAddress } from '../chain/readContract.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import { toMulticall } from '../networkFile.ts'
import { findStakeCall, type StakeCall } from '../portfolio/stakeCall.ts'
import { ask } from './ask.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'
import { hasCodeAt } from './findCreationBlock.ts'

/** Staking contracts that are looked at; two calls each. */
const stakesMax = 200

/** Looks at what wallets are read with: the multicall, and the staking contracts that the list names. */
export async function checkWallets(run: DoctorRun, node: UsableNode): Promise<void> {
  await checkMulticall(run, node)
  const stakes = run.examined.tokens.flatMap((token, i) => {
    const stake = findStakeCall(token)
    return stake ? [{ field: `assets.json.${i} (${token.symbol}).stakingContract`, stake }] : []
  })
  let right = 0
  for (const { field, stake } of stakes.slice(0, stakesMax)) {
    if (run.signal.aborted) return
    const finding = await readFinding(run, node, field, stake)
    if (finding) run.say(finding)
    else right += 1
  }
  const field = 'assets.json'
  if (right > 0) run.say(ok(field, `${right} of ${stakes.length} staking contracts report what a wallet has staked`))
  if (stakes.length > stakesMax)
    run.say(
      warn({ field, found: `${stakes.length} staking contracts`, wanted: `${stakesMax}`, todo: 'The rest was not checked' }),
    )
}

async function checkMulticall(run: DoctorRun, node: UsableNode): Promise<void> {
  const { network } = run.examined
  const address = toMulticall(network)
  const field = 'chain.multicall'
  const there = await ask(node, () => hasCodeAt(node.chain, address), run)
  if (there.value) return run.say(ok(field, `a contract is at ${network.chain.multicall ?? 'the usual address'}`))
  const found = there.kind === 'answer' ? `no contract at ${address}` : `"${there.said}"`
  const todo = "Name the chain's Multicall3: without it the server makes one call per token and wallet"
  run.say(warn({ field, found, wanted: 'Multicall3', todo }))
}

/** Undefined when all is well. A contract that has never seen a wallet answers 0. */
async function readFinding(run: DoctorRun, node: UsableNode, field: string, stake: StakeCall): Promise<Finding | undefined> {
  const { contract, signature, toCall, toAmount } = stake
  const answer = await ask(node, () => askAlone(node.chain, toCall(noAddress)), run)
  if (answer.kind !== 'answer')
    return warn({
      field,
      found: `"${answer.said}"`,
      wanted: "the contract's answer",
      todo: 'Not checked: try again',
    })
  if (toAmount(answer.value) !== undefined) return undefined
  const there = await ask(node, () => hasCodeAt(node.chain, contract), run)
  const todo = 'Look up the contract and its call: until then the portfolio shows no stakes from it'
  const found = there.value === false ? `no contract at ${contract}` : `a contract that does not support ${signature}`
  return fail({ field, found, wanted: 'an amount', todo })
}
