import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPage, firstLoadBudget, firstLoadBytes, listPageFiles, type PageFile } from './builtPage.ts'

describe('the first load of the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-page-'))
  let files: PageFile[] = []
  beforeAll(() => {
    buildPage(folder)
    files = listPageFiles(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(['js', 'css'] as const)('keeps to the budget for %s', (kind) => {
    const lines = files.filter((file) => file.kind === kind).map((file) => `${file.brotliBytes} ${file.when} ${file.file}`)
    const sum = firstLoadBytes(files, kind)
    expect(sum, `${sum} bytes of ${kind} in the first load after brotli:\n${lines.join('\n')}\n`).toBeLessThanOrEqual(
      firstLoadBudget[kind],
    )
  })

  it.each(['TokenModal', 'PriceCanvas', 'BoostPanel'])('does without %s, which only an open modal needs', (name) => {
    const loads = files.filter(({ file }) => file.includes(name)).map(({ when }) => when)
    expect(loads).toEqual(['later'])
  })
})
