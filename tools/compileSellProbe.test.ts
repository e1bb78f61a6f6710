import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { buildSellProbeCode } from './compileSellProbe.ts'

test('the committed code of the probes is what SellProbe.sol and HolderProbe.sol compile to', () => {
  const file = resolve(import.meta.dirname, '../server/market/sales/sellProbeCode.ts')
  expect(readFileSync(file, 'utf8'), 'run npx node tools/compileSellProbe.ts').toBe(buildSellProbeCode())
})
