import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildArtifact, readSource } from './compile.ts'

const built = buildArtifact()

test('the committed artifact is what TokenBoost.sol compiles to', () => {
  const committed = JSON.parse(readFileSync(join(import.meta.dirname, 'artifacts', 'TokenBoost.json'), 'utf8'))
  expect(committed, 'run npx node contracts/compile.ts').toEqual(built)
})

test('the contract fits into a block chain: at most 24,576 bytes', () => {
  expect((built.bytecode.length - 2) / 2).toBeLessThan(24_576)
})

test('the contract is read in one sitting: at most 260 lines that are no comment', () => {
  const lines = readSource()
    .split('\n')
    .filter((line) => line.trim() && !/^\s*(\/\/|\/\*|\*)/.test(line))
  expect(lines.length).toBeLessThanOrEqual(260)
})
