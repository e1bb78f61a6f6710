import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { contractsFolder, runHardhat } from '../../contracts/hardhatProject.ts'
import { CheckFailed } from '../checkFailed.ts'
import { writeSection } from '../docsSection.ts'
import { NotMeasured } from '../notMeasured.ts'

export const usage = `npm run bench -- invariants [--out file]
  --out  the document with the section "Invariants" (default docs/contract.md)`

/** As the profile `long` of contracts/hardhat.config.ts has them. */
const [runs, callsOfARun] = [200, 500]
const msMax = 3_600_000

/** Tries every invariant of the boost contract with 100,000 random calls. @throws CheckFailed with the calls that broke one */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const defaultOut = resolve(import.meta.dirname, '../../docs/contract.md')
  const { values } = parseArgs({ args, options: { out: { type: 'string', default: defaultOut } } })
  const started = performance.now()
  const arguments_ = ['test', 'solidity', '--test-profile', 'long', '--grep', 'invariant']
  const { passed, output } = await runHardhat(contractsFolder, arguments_, { msMax, signal })
  signal.throwIfAborted()
  if (!passed) throw new CheckFailed(output)
  const section = toSection(findKept(output), Math.round((performance.now() - started) / 1_000))
  console.log(section)
  writeSection(values.out, 'invariants', section)
  console.log(`Written to ${values.out}`)
}

/** The invariants that held, as sentences. @param output of Hardhat @throws NotMeasured when one was not tried as often as expected */
export function findKept(output: string): string[] {
  const lines = [...output.matchAll(/invariant_(\w+)\(\) \(runs: (\d+)/g)]
  if (lines.length === 0) throw new NotMeasured(`No invariant was tried:\n${output}`)
  for (const [, name, tried] of lines) {
    if (Number(tried) !== runs) throw new NotMeasured(`${name} was tried ${tried} times, expected ${runs}`)
  }
  return lines.map(([, name = '']) => toSentence(name)).toSorted()
}

function toSentence(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

function toSection(kept: readonly string[], seconds: number): string {
  const calls = (runs * callsOfARun).toLocaleString('en-US')
  return [
    '## Invariants',
    '',
    `Each was checked after every one of ${calls} random calls (${runs} runs of ${callsOfARun}) by payers and the owner, at random times, during pauses and`,
    `between them, with payment tokens of 0, 6 and 18 decimals. All held. Written by \`npm run bench -- invariants\`, which took ${seconds} s.`,
    '',
    ...kept.map((sentence) => `- ${sentence}`),
  ].join('\n')
}
