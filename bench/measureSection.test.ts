import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { measureSection, toCommand } from './measureSection.ts'

it('names the command with what was typed', () => {
  expect(toCommand('api', [])).toBe('npm run bench -- api')
  expect(toCommand('api', ['--rounds', '2', '--pin'])).toBe('npm run bench -- api --rounds 2 --pin')
})

it('prints what was measured and writes it into the document, in the place of the last one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-section-'))
  const printed: unknown[] = []
  const spies = (['log', 'warn'] as const).map((name) => vi.spyOn(console, name).mockImplementation((text) => printed.push(text)))
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
    rmSync(folder, { recursive: true })
  })
  const out = join(folder, 'benchmarks.md')
  const measure = (text: string) =>
    measureSection({ name: 'api', args: ['--rounds', '2'], out }, async ({ command }) => `## API\n\n${command}: ${text}`)
  await measure('first')
  await measure('second')
  const written = readFileSync(out, 'utf8')
  expect(written).toContain('<!-- api:begin -->\n## API\n\nnpm run bench -- api --rounds 2: second\n<!-- api:end -->\n')
  expect(written).not.toContain('first')
  expect(printed.slice(-2)).toEqual(['\n## API\n\nnpm run bench -- api --rounds 2: second', `Written to ${out}`])
})

it('writes nothing when the measuring fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-section-'))
  // Of a busy machine.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  onTestFinished(() => {
    warn.mockRestore()
    rmSync(folder, { recursive: true })
  })
  const out = join(folder, 'benchmarks.md')
  const failing = measureSection({ name: 'api', args: [], out }, () => Promise.reject(new Error('the node ended')))
  await expect(failing).rejects.toThrow('the node ended')
  expect(() => readFileSync(out)).toThrow('ENOENT')
})
