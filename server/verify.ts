// `npm run verify -- price <address or symbol> --rpc <url>`: works a price that a site serves out again, from any node of its chain.
import { parseArgs } from 'node:util'
import { hideSecrets } from './chain/hideSecrets.ts'
import { createViemChain } from './chain/viemChain.ts'
import { describeVerdict } from './verify/describe.ts'
import { findUnprovable, judge, type Verdict } from './verify/judge.ts'
import { readEvidence } from './verify/readEvidence.ts'
import { readSite, type SiteClaim } from './verify/readSite.ts'

const usage = `Usage: npm run verify -- price <address or symbol> [--site <url>] [--rpc <url>] [--block <number>]
  --site   the Chainboard site, http://127.0.0.1:3000 when absent
  --rpc    a node of its chain; the one that the site names when absent, which proves less
  --block  one of the last blocks; the newest when absent`
const siteDefault = 'http://127.0.0.1:3000'
const timeoutMs = 15_000
const exitCodes = { equal: 0, 'not-equal': 1, 'cannot-tell': 2 } as const

const { token, site, rpc, block } = readArguments()
const answer = await readSite({ site, token, block, timeoutMs })
if ('problem' in answer) exitWith(`Cannot tell. ${answer.problem}`)
const { claim } = answer
const rpcUrl = rpc ?? claim.rpcUrl
const node = `${URL.parse(rpcUrl)?.host}${rpc ? '' : ', which the site itself names: --rpc takes another'}`
const verdict = await verify(claim)
console.log(describeVerdict(claim.receipt, verdict, node).join('\n'))
process.exit(exitCodes[verdict.kind])

async function verify({ receipt, chainId }: SiteClaim): Promise<Verdict> {
  const unprovable = findUnprovable(receipt)
  if (unprovable) return { kind: 'cannot-tell', why: unprovable }
  const read = await readEvidence(createViemChain([rpcUrl]), receipt, { chainId, hide: (said) => hideSecrets(said, rpcUrl) })
  return 'problem' in read ? { kind: 'cannot-tell', why: read.problem } : judge(receipt, read.evidence, chainId)
}

function readArguments() {
  try {
    const options = { site: { type: 'string' }, rpc: { type: 'string' }, block: { type: 'string' } } as const
    const { positionals, values } = parseArgs({ allowPositionals: true, options })
    const [what, token, ...rest] = positionals
    const { site = siteDefault, rpc, block } = values
    const urls = rpc === undefined ? [site] : [site, rpc]
    if (what !== 'price' || !token || rest.length > 0) exitWith(usage)
    if (!urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))) exitWith(`--site and --rpc want URLs. ${usage}`)
    if (block !== undefined && !/^\d{1,15}$/.test(block)) exitWith(`--block wants a number. ${usage}`)
    return { token, site, rpc, block: block === undefined ? undefined : Number(block) }
  } catch (error) {
    return exitWith(`${(error as Error).message}\n${usage}`)
  }
}

function exitWith(text: string): never {
  console.error(text)
  process.exit(2)
}
