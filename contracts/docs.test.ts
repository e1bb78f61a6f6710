import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

test('docs/contract.md has the gas of the snapshot', () => {
  const snapshot = JSON.parse(readFileSync(join(import.meta.dirname, 'snapshots', 'TokenBoost.json'), 'utf8'))
  const rows = readFileSync(resolve(import.meta.dirname, '..', 'docs', 'contract.md'), 'utf8').matchAll(
    /^\| (\S.*?) +\| +([\d,]+) \|$/gm,
  )
  expect(Object.fromEntries([...rows].map(([, call, gas]) => [call, gas?.replaceAll(',', '')]))).toEqual(snapshot)
})
