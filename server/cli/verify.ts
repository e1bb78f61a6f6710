// `npm run verify -- <figure> <address or symbol> --rpc <url>`: works a figure that a site serves out again, from any node of its chain.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { FigureName } from '@chainboard/contract'
import { messageOf } from '@chainboard/core'
import { Value } from 'typebox/value'
import { hideSecrets } from '../chain/hideSecrets.ts'
import { createViemChain } from '../chain/viemChain.ts'
import { findProblems, formatProblem } from '../findProblems.ts'
import { toPriceRules } from '../market/receipt.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import { networkFileSchema } from '../networkFileSchema.ts'
import { describeVerdict } from '../verify/describe.ts'
import { logRangeDefault } from '../verify/readPoolEvents.ts'
import { readSite, type SiteClaim } from '../verify/readSite.ts'
import { toRetryingChain } from '../verify/retryingChain.ts'
import { verifyClaim } from '../verify/verifyClaim.ts'

const usage = `Usage: npm run verify -- price|change|volume|candle|marketcap <address or symbol> [--site <url>] [--rpc <url>] [--block <number>] [--network <file>]
  --site     the Chainboard site. Default: http://127.0.0.1:3000
  --rpc      a node of its chain. Default: the one that the site names, which proves less
  --block    a block of the last 30 days. Default: the newest
  --hour     unix seconds within the hour of a candle. Default: the hour of the block
  --network  a network file. Its rules replace those that the site publishes
  --span     blocks per request for logs. Default: ${logRangeDefault}`
const siteDefault = 'http://127.0.0.1:3000'
const timeoutMs = 60_000
const exitCodes = { equal: 0, 'not-equal': 1, 'cannot-tell': 2 } as const
const figures: Readonly<Record<string, FigureName | undefined>> = {
  price: undefined,
  change: 'change24h',
  volume: 'volume24h',
  candle: 'candle',
  marketcap: 'marketcap',
}
/** Between two words on how far it is. */
const logEveryMs = 5_000

const { token, figure, site, rpc, block, hour, logRange, network } = readArguments()
const answer = await readSite({ site, token, figure, block, hour, timeoutMs })
if ('problem' in answer) exitWith(`Cannot tell. ${answer.problem}`)
const claim = network === undefined ? answer.claim : takeRules(answer.claim, network)
const rpcUrl = rpc ?? claim.rpcUrl
const node = `${URL.parse(rpcUrl)?.host}${rpc ? '' : ', named by the site itself: --rpc sets another'}`
const chain = toRetryingChain(createViemChain([rpcUrl]), (ms) =>
  say(`The node's rate limit was reached: waiting ${Math.ceil(ms / 1000)} s`),
)
const verdict = await verifyClaim({ chain, logRange, onLogs: countBlocks() }, claim, (said) => hideSecrets(said, rpcUrl))
console.log(describeVerdict(claim, verdict, node).join('\n'))
process.exit(exitCodes[verdict.kind])

function countBlocks(): (blocks: number) => void {
  let [read, loggedAtMs] = [0, Date.now()]
  return (blocks) => {
    read += blocks
    if (Date.now() - loggedAtMs < logEveryMs) return
    loggedAtMs = Date.now()
    say(`Logs of ${read.toLocaleString('en-US')} blocks are read`)
  }
}

function say(text: string): void {
  console.error(text)
}

function readArguments() {
  try {
    const text = { type: 'string' } as const
    const options = { site: text, rpc: text, block: text, hour: text, span: text, network: text }
    const { positionals, values } = parseArgs({ allowPositionals: true, options })
    const [what = '', token, ...rest] = positionals
    const { site = siteDefault, rpc, span, network } = values
    const urls = rpc === undefined ? [site] : [site, rpc]
    if (!Object.hasOwn(figures, what) || !token || rest.length > 0) exitWith(usage)
    if (!urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))) exitWith(`--site and --rpc need URLs. ${usage}`)
    const toNumber = (name: 'block' | 'hour' | 'span') => {
      const value = values[name]
      if (value !== undefined && !/^\d{1,11}$/.test(value)) exitWith(`--${name} needs a number. ${usage}`)
      return value === undefined ? undefined : Number(value)
    }
    if (span !== undefined && Number(span) < 1) exitWith(`--span needs one block or more. ${usage}`)
    const [block, hour, logRange = logRangeDefault] = [toNumber('block'), toNumber('hour'), toNumber('span')]
    return { token, figure: figures[what], site, rpc, block, hour, logRange, network }
  } catch (error) {
    return exitWith(`${messageOf(error)}\n${usage}`)
  }
}

/** The rules of a network file that did not come from the site. */
function takeRules(claim: SiteClaim, path: string): SiteClaim {
  const network = readNetwork(path)
  if (network.chain.id !== claim.chainId)
    exitWith(`${path} is for chain ${network.chain.id}, the site is on chain ${claim.chainId}`)
  return { ...claim, rules: toPriceRules(network), rulesFrom: path }
}

function readNetwork(path: string): NetworkFile {
  try {
    const network: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (Value.Check(networkFileSchema, network)) return network
    return exitWith(
      findProblems(networkFileSchema, network)
        .slice(0, 1)
        .map((problem) => `${path}: ${formatProblem(problem)}`)
        .join(),
    )
  } catch (error) {
    return exitWith(`${path} is not a network file: ${messageOf(error)}`)
  }
}

function exitWith(text: string): never {
  console.error(text)
  process.exit(2)
}
