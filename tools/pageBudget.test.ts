import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPage, findPageFiles, firstLoadBudget, firstLoadBytes, measureFiles } from './builtPage.ts'

const toDo = {
  js: 'Let what the home page opens without load later: the address of a route in web/lib/marketUrls.ts or in another file that only later parts import, a part of a screen through web/lib/lazyPart.tsx',
  css: 'Use classes that the page has already, or write the style in a part that loads later',
} as const

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
    const found = `${sum} bytes of ${kind} in the first load after brotli:\n${lines.join('\n')}`
    expect(sum, `${found}\n${toDo[kind]}\n`).toBeLessThanOrEqual(firstLoadBudget[kind])
  })

  it.each(['TokenModal', 'PriceCanvas', 'BoostPanel'])('does without %s, which only an open modal needs', (name) => {
    const loads = files.filter(({ file }) => file.includes(name)).map(({ when }) => when)
    expect(loads).toEqual(['later'])
  })
})
