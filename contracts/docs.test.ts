import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { readTokenBoost } from './index.ts'

test('docs/contract.md has the gas of the snapshot', () => {
  const snapshot = JSON.parse(readFileSync(join(import.meta.dirname, 'snapshots', 'TokenBoost.json'), 'utf8'))
  const rows = readFileSync(resolve(import.meta.dirname, '..', 'docs', 'contract.md'), 'utf8').matchAll(
    /^\| (\S.*?) +\| +([\d,]+) \|$/gm,
  )
  expect(Object.fromEntries([...rows].map(([, call, gas]) => [call, gas?.replaceAll(',', '')]))).toEqual(snapshot)
})

test('docs/contract.md has the data of the calls that take money back', () => {
  const text = readFileSync(resolve(import.meta.dirname, '..', 'docs', 'contract.md'), 'utf8')
  const rows = [...text.matchAll(/^\| \d\. .*\| `(\w+)\(.*\)` +\| `(0x[0-9a-f]{8})`/gm)].map(([, name, data]) => [name, data])
  expect(rows.map(([name]) => name)).toEqual(['refundAfterLongPause', 'refundOf', 'claimRefund'])
  for (const [name, data] of rows) {
    const call = readTokenBoost().abi.find((part) => part.type === 'function' && part.name === name)
    expect([name, call?.type === 'function' && toFunctionSelector(call)]).toEqual([name, data])
  }
})
