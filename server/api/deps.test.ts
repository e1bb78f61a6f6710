import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test('only what hands them over has all dependencies: a route names those that it takes', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => /\bApiDeps\b/.test(read(file).replaceAll('PriceApiDeps', '')))).toEqual([
    'createApp.ts',
    'deps.ts',
  ])
})

test('no route is handed all of them', () => {
  const handed = read('createApp.ts').match(/\b(\w+Routes?|openPriceApi)\(deps\b/g)
  expect(handed).toEqual(null)
})
