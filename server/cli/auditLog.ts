// `npm run audit-log`: checks that the log of what operators did is as it was written.
import { parseArgs } from 'node:util'
import { messageOf } from '@chainboard/core'
import { createKeyedHash } from '../accounts/keyedHash.ts'
import { findPepper } from '../accounts/loadPepper.ts'
import { checkChain } from '../operators/checkChain.ts'
import { actsMax } from '../operators/sweepOperators.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { digestUnchained, findChainEnd, listUnchainedActs, readChain } from '../store/adminActs.ts'
import { openReader } from '../store/openReader.ts'
import { checkFile } from '../store/openStore.ts'

const usage = `Usage: npm run audit-log -- [--noted <entry>:<hash>]
  --noted  an entry and its hash, from an earlier run or the server's log: checks that it is still in the audit log
Exit code 0: intact. 1: changed. 2: could not run.`
const statementTimeoutMs = 60_000

const noted = readNoted()
const config = readConfigOrExit()
const pepper = findPepper(config.pepper)
if (pepper === undefined)
  exitWith(`There is no pepper at ${config.pepper.file}, and PIN_PEPPER is not set: entries cannot be checked`)
try {
  if ('file' in config.store) checkFile(config.store.file)
  process.exit(await check(pepper))
} catch (error) {
  exitWith(messageOf(error))
}

async function check(secret: string): Promise<0 | 1> {
  const keyedHash = createKeyedHash(secret)
  const store = await openReader(config.store, statementTimeoutMs)
  try {
    const { verdict, unchained } = await store.readConsistently(async (tx) => {
      const unchained = await listUnchainedActs(tx)
      const verdict = await checkChain(readChain(tx), {
        end: await findChainEnd(tx),
        beforeDigest: digestUnchained(unchained),
        keptMin: actsMax,
        hashOf: (text) => keyedHash('act', text),
        noted,
      })
      return { verdict, unchained: unchained.length }
    })
    if (unchained > 0) console.log(`${unchained} older acts have no hash of their own; the hash of the first entry covers them`)
    if (verdict.kind === 'broken') {
      console.log(`Changed at entry ${verdict.seq}: ${verdict.why}`)
      return 1
    }
    const { kind } = verdict
    console.log(kind === 'empty' ? 'The audit log is empty' : describe(verdict))
    return 0
  } finally {
    await store.close()
  }
}

function describe({ first, last, hash }: { readonly first: number; readonly last: number; readonly hash: string }): string {
  return `Intact: entries ${first} to ${last}. Note the last one elsewhere: --noted ${last}:${hash}`
}

function readNoted(): { readonly seq: number; readonly hash: string } | undefined {
  try {
    const { values } = parseArgs({ options: { noted: { type: 'string' } } })
    if (values.noted === undefined) return undefined
    const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(values.noted) ?? []
    if (!seq || !hash) return exitWith(`--noted: found ${JSON.stringify(values.noted)}, expected <entry>:<hash>\n${usage}`)
    return { seq: Number(seq), hash }
  } catch (error) {
    return exitWith(`${messageOf(error)}\n${usage}`)
  }
}

function exitWith(text: string): never {
  console.error(text)
  process.exit(2)
}
