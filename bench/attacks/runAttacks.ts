import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeSection } from '../docsSection.ts'
import { killSites } from '../faults/site.ts'
import { describeMachine } from '../machine.ts'
import { depegs } from './depegs.ts'
import { fakeDepth } from './fakeDepth.ts'
import { fakeVolume } from './fakeVolume.ts'
import { moments } from './moments.ts'
import { motion } from './motion.ts'
import { pumps } from './pumps.ts'
import { isHeld, toCells, toSection } from './report.ts'
import { type AttackResult, runAttack } from './runAttack.ts'
import { shocks } from './shocks.ts'
import type { Attack } from './stage.ts'
import { trickTokens } from './trickTokens.ts'
import { washes } from './washes.ts'

export const usage = `npm run bench -- attacks [--only name,…] [--seed text] [--quick] [--report-only] [--docs] [--out file]
  --only         attacks with these names
  --seed         decides what honest traders do (default ember)
  --quick        looks at three blocks after each attack, not at twelve minutes
  --report-only  attacks that succeed are no failure
  --docs         writes the section "Attacks" of the document; all attacks, looked at to the end
  --out          the document (default docs/benchmarks.md)`

const attacks: readonly Attack[] = [
  ...fakeDepth,
  ...moments,
  ...motion,
  ...pumps,
  ...washes,
  ...fakeVolume,
  ...trickTokens,
  ...depegs,
  ...shocks,
]

/** Plays attacks on prices, and holds what was served against what was true. @throws Error when one succeeds */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: 'ember' },
      quick: { type: 'boolean', default: false },
      'report-only': { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
      out: { type: 'string', default: join(resolve(import.meta.dirname, '../..'), 'docs/benchmarks.md') },
    },
  })
  const wanted = pickAttacks(values.only)
  if (values.docs && (values.quick || values.only !== '')) throw new Error(`--docs: wants neither --only nor --quick\n${usage}`)
  const machine = describeMachine()
  const results: AttackResult[] = []
  const notPlayed: string[] = []
  try {
    for (const attack of wanted) {
      const startedMs = performance.now()
      const result = await runAttack(attack, { seed: values.seed, quick: values.quick, signal }).catch((error: unknown) => {
        signal.throwIfAborted()
        console.error(error)
      })
      if (!result) {
        notPlayed.push(attack.name)
        continue
      }
      results.push(result)
      const tookSeconds = Math.round((performance.now() - startedMs) / 1_000)
      console.log(`${results.length} of ${wanted.length}, ${tookSeconds} s: ${toCells(result).join(' | ')}`)
    }
  } finally {
    killSites()
  }
  const only = values.only ? ` --only ${values.only}` : ''
  const section = toSection(results, {
    machine: machine.words,
    command: `npm run bench -- attacks${only} --seed ${values.seed}`,
  })
  console.log(`\n${section}`)
  if (notPlayed.length > 0) throw new Error(`These attacks could not be played: ${notPlayed.join(', ')}`)
  if (values.docs) {
    writeSection(values.out, 'attacks', section)
    console.log(`Written to ${values.out}`)
  }
  const failed = results.filter((result) => !isHeld(result)).map(({ attack }) => attack.name)
  if (failed.length > 0 && !values['report-only']) throw new Error(`These attacks succeed: ${failed.join(', ')}`)
}

/** @throws Error that lists the names when one is unknown */
function pickAttacks(only: string): readonly Attack[] {
  if (only === '') return attacks
  const names = only.split(',')
  const unknown = names.filter((name) => !attacks.some((attack) => attack.name === name))
  if (unknown.length === 0) return attacks.filter(({ name }) => names.includes(name))
  throw new Error(`--only: found ${unknown.join(', ')}, wanted ${attacks.map(({ name }) => name).join(', ')}\n${usage}`)
}
