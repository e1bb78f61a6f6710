import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { toSdkFiles } from './writeSdkTypes.ts'

it('gives the SDK the types and the paths of the contract', () => {
  for (const [path, text] of Object.entries(toSdkFiles()))
    expect(
      readFileSync(join(resolve(import.meta.dirname, '..'), path), 'utf8'),
      `${path} is old: npx node tools/writeSdkTypes.ts`,
    ).toBe(text)
})
