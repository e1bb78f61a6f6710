import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileContracts } from './compile.ts'

test('the committed artifacts are what the contracts compile to', () => {
  const compiled = compileContracts()
  expect([...compiled.keys()].toSorted()).toEqual([
    'DevAttacker',
    'DevFeed',
    'DevMarket',
    'DevStaking',
    'DevToken',
    'DevTrader',
    'DevTrap',
    'DevTrickToken',
    'WrappedNative',
  ])
  for (const [name, artifact] of compiled) {
    const committed = JSON.parse(readFileSync(join(import.meta.dirname, 'artifacts', `${name}.json`), 'utf8'))
    expect(committed, `${name}: run npx node devnet/compile.ts`).toEqual(artifact)
  }
})
