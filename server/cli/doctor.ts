// `NETWORK=celo npm run doctor`: looks at a network file, its token list and the chain, and says in plain lines what is wrong.
import { examine } from '../doctor/examine.ts'
import { formatFinding, formatSummary } from '../finding.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'

const { networkName, network, tokenList, rpcUrls, sourceEnv } = readConfigOrExit()
console.log(`Network ${networkName}: ${network.chain.name}, chain id ${network.chain.id}, ${tokenList.tokens.length} tokens`)

const findings = await examine(
  { network, tokens: tokenList.tokens, rpcUrls, sourceEnv },
  { say: (finding) => console.log(formatFinding(finding)), heading: (text) => console.log(`\n${text}`) },
)
console.log(`\n${formatSummary(findings)}`)
// At once: a node that hangs may still hold a call of ours.
process.exit(findings.some(({ level }) => level === 'fail') ? 1 : 0)
