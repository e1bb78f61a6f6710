import { parseArgs } from 'node:util'
import { WrongOption } from '../../tools/wrongOption.ts'
import { CheckFailed } from '../checkFailed.ts'
import { killSites } from '../faults/site.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { NotMeasured } from '../notMeasured.ts'
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
  --seed         decides the honest trades (default ember)
  --quick        watches three blocks after each attack, not twelve minutes
  --report-only  does not fail when attacks succeed
  --docs         writes the section "Attacks" of the document; not with --only or --quick
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

/** Plays attacks on prices, and compares served prices with honest ones. @throws CheckFailed when one succeeds, NotMeasured when one could not be played */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: 'ember' },
      quick: { type: 'boolean', default: false },
      'report-only': { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
      out: outOption,
    },
  })
  const { only, seed, quick, docs } = values
  const wanted = pickAttacks(only)
  if (docs && (quick || only !== '')) throw new WrongOption('--docs: expected neither --only nor --quick')
  const repeat = [...(only ? ['--only', only] : []), '--seed', seed]
  const results: AttackResult[] = []
  await measureSection({ name: 'attacks', args: repeat, out: docs ? values.out : undefined }, async (measuring) => {
    results.push(...(await playAttacks(wanted, { seed, quick, signal })))
    const section = toSection(results, measuring)
    const missing = wanted.filter((attack) => !results.some((result) => result.attack === attack)).map(({ name }) => name)
    if (missing.length > 0) throw new NotMeasured(`${section}\n\nThese attacks could not be played: ${missing.join(', ')}`)
    return section
  })
  const succeeded = results.filter((result) => !isHeld(result)).map(({ attack }) => attack.name)
  if (succeeded.length > 0 && !values['report-only']) throw new CheckFailed(`These attacks succeed: ${succeeded.join(', ')}`)
}

type Play = { readonly seed: string; readonly quick: boolean; readonly signal: AbortSignal }

/** @returns results of those that could be played */
async function playAttacks(wanted: readonly Attack[], play: Play): Promise<AttackResult[]> {
  const results: AttackResult[] = []
  try {
    for (const attack of wanted) {
      const startedMs = performance.now()
      const result = await runAttack(attack, play).catch((error: unknown) => {
        play.signal.throwIfAborted()
        console.error(error)
      })
      if (!result) continue
      results.push(result)
      const tookSeconds = Math.round((performance.now() - startedMs) / 1_000)
      console.log(`${results.length} of ${wanted.length}, ${tookSeconds} s: ${toCells(result).join(' | ')}`)
    }
    return results
  } finally {
    killSites()
  }
}

function pickAttacks(only: string): readonly Attack[] {
  if (only === '') return attacks
  const names = only.split(',')
  const unknown = names.filter((name) => !attacks.some((attack) => attack.name === name))
  if (unknown.length === 0) return attacks.filter(({ name }) => names.includes(name))
  throw new WrongOption(`--only: found ${unknown.join(', ')}, expected ${attacks.map(({ name }) => name).join(', ')}`)
}
