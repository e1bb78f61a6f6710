// The Solidity tests, as part of `npm test`. Alone: `npm run solidity -w contracts`.
import { expect, test } from 'vitest'
import { addElseArms } from './addElseArms.ts'
import { readSource } from './compile.ts'
import { contractsFolder, copyProject, readCoverage, runHardhat } from './hardhatProject.ts'

const msMax = 300_000

test('the Solidity tests pass, with fuzzing and invariants', { timeout: msMax }, async () => {
  const { passed, output } = await runHardhat(contractsFolder, ['test', 'solidity'], { msMax })
  expect(passed, output).toBe(true)
  expect(Number(/(\d+) passing/.exec(output)?.[1])).toBeGreaterThan(120)

  const gasCheck = ['test', 'solidity', 'test/Gas.t.sol', '--test-profile', 'gas', '--snapshot-check']
  const gas = await runHardhat(contractsFolder, gasCheck, { msMax })
  expect(gas.passed, `${gas.output}\nIf it may cost that: npm run gas -w contracts`).toBe(true)
})

test('the Solidity tests reach every line and take every branch both ways', { timeout: msMax }, async () => {
  const { source, arms } = addElseArms(readSource())
  expect(arms).toBe(19)
  const folder = copyProject('coverage', source, { optimized: false })
  const { passed, output } = await runHardhat(folder, ['test', 'solidity', '--test-profile', 'quick', '--coverage'], { msMax })
  expect(passed, output).toBe(true)
  const { counted, missed } = readCoverage(folder)
  const lines = source.split('\n')
  expect(missed.map((line) => `${line}: ${lines[line - 1]?.trim()}`)).toEqual([])
  expect(counted).toBeGreaterThan(130)
})
