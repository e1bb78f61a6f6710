import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPage, findPageFiles, firstLoadBudget, firstLoadBytes, measureFiles } from './builtPage.ts'

describe('the first load of the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-page-'))
  let files: ReturnType<typeof findPageFiles> = []
  beforeAll(() => {
    buildPage(folder, 'page')
    files = findPageFiles(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(['js', 'css'] as const)('keeps to the budget for %s', (kind) => {
    const first = measureFiles(
      folder,
      files.filter((file) => file.kind === kind && file.when === 'first'),
    )
    const lines = first.map(({ brotliBytes, file }) => `${brotliBytes} ${file}`)
    const sum = firstLoadBytes(first, kind)
    expect(sum, `${sum} bytes of ${kind} in the first load after brotli:\n${lines.join('\n')}\n`).toBeLessThanOrEqual(
      firstLoadBudget[kind],
    )
  })

  it.each(['TokenModal', 'PriceCanvas', 'BoostPanel'])('does without %s, which only an open modal needs', (name) => {
    const loads = files.filter(({ file }) => file.includes(name)).map(({ when }) => when)
    expect(loads).toEqual(['later'])
  })
})
