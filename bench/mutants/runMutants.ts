import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compileTokenBoost, readSource } from '../../contracts/compile.ts'
import { copyProject, runHardhat } from '../../contracts/hardhatProject.ts'
import { writeSection } from '../docsSection.ts'
import { NotMeasured } from '../notMeasured.ts'
import { parseCount } from '../parseCount.ts'
import { listMutants, type Mutant } from './listMutants.ts'
import { type Fate, toSection } from './report.ts'

export const usage = `npm run bench -- mutants [--at-once n] [--out file]
  --at-once  mutants to test at the same time (default 2)
  --out      the document with the section "Mutants" (default docs/contract.md)`

const msMax = 180_000
const tests = ['test', 'solidity', '--test-profile', 'quick']

/** Runs the Solidity tests against each mutant of the contract. @throws NotMeasured when they fail for the contract as it is */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { atOnce, out } = parseOptions(args)
  const mutants = listMutants(readSource())
  const folders = Array.from({ length: atOnce }, (_, i) => copyProject(`mutants-${i}`, readSource()))
  for (const folder of folders) await checkHealthy(folder, signal)
  const fates: Fate[] = []
  const waiting = [...mutants]
  await Promise.all(
    folders.map(async (folder) => {
      for (let mutant = waiting.shift(); mutant && !signal.aborted; mutant = waiting.shift()) {
        const fate = await tryMutant(folder, mutant, signal)
        fates.push({ mutant, fate })
        const { line, operator, before, after } = mutant
        console.log(`${fates.length}/${mutants.length} ${fate}: line ${line}, ${operator}: ${before} -> ${after}`)
      }
    }),
  )
  signal.throwIfAborted()
  const section = toSection('npm run bench -- mutants', fates)
  console.log(`\n${section}`)
  writeSection(out, 'mutants', section)
  console.log(`Written to ${out}`)
}

/** Compiles the tests, and sees that they pass as they will be run: with a contract put in from outside. */
async function checkHealthy(folder: string, signal: AbortSignal): Promise<void> {
  const built = await runHardhat(folder, tests, { msMax, signal })
  if (!built.passed) throw new NotMeasured(`The tests fail without any mutant:\n${built.output}`)
  putContract(folder, readSource())
  const again = await runHardhat(folder, [...tests, '--no-compile'], { msMax, signal })
  if (!again.passed) throw new NotMeasured(`The tests fail with the contract put in:\n${again.output}`)
}

async function tryMutant(folder: string, mutant: Mutant, signal: AbortSignal): Promise<Fate['fate']> {
  try {
    putContract(folder, mutant.source)
  } catch {
    return 'no program'
  }
  const { passed } = await runHardhat(folder, [...tests, '--no-compile'], { msMax, signal })
  return passed ? 'survived' : 'killed'
}

/** Puts a compiled contract in the place of what the build of the copy wrote, which is where the tests take it from. */
function putContract(folder: string, source: string): void {
  const { bytecode, runtimeBytecode } = compileTokenBoost(source, { trial: true })
  const path = join(folder, '..', '.tsbuild', 'hardhat', 'artifacts', 'TokenBoost.sol', 'TokenBoost.json')
  const artifact = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...artifact, bytecode, deployedBytecode: runtimeBytecode }))
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      'at-once': { type: 'string', default: '2' },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/contract.md') },
    },
  })
  return { atOnce: parseCount({ option: 'at-once', text: values['at-once'], max: 16 }), out: values.out }
}
