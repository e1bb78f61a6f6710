// `npm run init -- --rpc <url>`: writes the network file and a first token list of a chain, and lets the doctor look at them.
import { relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Failure, messageOf } from '@chainboard/core'
import { readConfig } from '../config.ts'
import { examine } from '../doctor/examine.ts'
import { formatFinding, formatSummary } from '../finding.ts'
import { formatProblem, problemsOf } from '../findProblems.ts'
import { createAsker } from '../init/asker.ts'
import { readInitFlags, usage } from '../init/initFlags.ts'
import { type PreparedFiles, prepareFiles } from '../init/prepareFiles.ts'
import { writeFiles } from '../init/writeFiles.ts'
import { root } from '../places.ts'
import { readInitEnvironment } from '../readConfigOrExit.ts'

const exitCodes = { done: 0, failing: 1, refused: 2, interrupted: 130 }
const say = (line: string) => console.log(line)

const flags = readFlagsOrExit()
const { rpcUrl, networksDir: ownDir } = readInitEnvironment()
const networksDir = ownDir ?? resolve(root, 'networks')
const terminal = process.stdin.isTTY && process.stdout.isTTY ? createInterface(process.stdin, process.stdout) : undefined
for (const [event, code] of [
  ['SIGINT', exitCodes.interrupted],
  ['close', exitCodes.refused],
] as const)
  terminal?.on(event, () => {
    console.error('\nNothing was written.')
    process.exit(code)
  })

const prepared = await prepareOrExit()
terminal?.removeAllListeners()
terminal?.close()
writeFiles(prepared.paths, prepared.files)
const { network, assets, highlighted } = prepared.paths
say(`\nWrote ${[network, assets, highlighted].map(toShown).join(', ')}`)
const fails = await runDoctor(prepared)
say(`\n${formatNext(prepared)}`)
process.exit(fails ? exitCodes.failing : exitCodes.done)

function readFlagsOrExit() {
  try {
    const read = readInitFlags(process.argv.slice(2))
    if (!read.help) return read
    say(usage)
    process.exit(exitCodes.done)
  } catch (error) {
    console.error(`${messageOf(error)}\n${usage}`)
    process.exit(exitCodes.refused)
  }
}

async function prepareOrExit(): Promise<PreparedFiles> {
  try {
    return await prepareFiles({
      ...{ flags, rpc: flags.rpc ?? rpcUrl, networksDir, schemasDir: resolve(root, 'docs', 'schemas'), say },
      asker: createAsker({ prompt: terminal && ((text) => terminal.question(text)), yes: flags.yes === true, say }),
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(`${error.message}${error.code === 'config-invalid' ? ':' : ': nothing was written'}`)
    for (const problem of problemsOf(error)) console.error(`  ${formatProblem(problem)}`)
    process.exit(exitCodes.refused)
  }
}

/** @returns whether something is wrong enough for wrong prices or none */
async function runDoctor({ name, rpcUrls, hidesKey }: PreparedFiles): Promise<boolean> {
  const config = readConfig({ NETWORK: name, ...(hidesKey ? { RPC_URL: rpcUrls.join(',') } : {}) }, networksDir)
  const findings = await examine(
    { ...config, tokens: config.tokenList.tokens },
    { say: (finding) => say(formatFinding(finding)), heading: (text) => say(`\n${text}`) },
  )
  say(`\n${formatSummary(findings)}`)
  return findings.some(({ level }) => level === 'fail')
}

function formatNext({ name, hidesKey }: PreparedFiles): string {
  const folder = ownDir === undefined ? '' : `NETWORKS_DIR=${toShown(ownDir)} `
  const command = `${folder}NETWORK=${name} npm start`
  if (!hidesKey) return `Next: ${command}`
  return `Next, with your URL (it may contain a key, so no file has it): RPC_URL=<url> ${command}`
}

/** From here where that is shorter. */
function toShown(path: string): string {
  const short = relative('', path) || '.'
  return short.startsWith('..') ? path : short
}
