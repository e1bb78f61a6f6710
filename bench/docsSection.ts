import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { NotMeasured } from './notMeasured.ts'

const heading = `# Benchmarks

What \`npm run bench -- <name>\` measured. Each run writes its own section: the figures are of that machine at that time, and the
command repeats the run.
`

/** Puts a benchmark's section into the document, in the place of its last one. */
export function writeSection(path: string, name: string, section: string): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : heading
  writeFileSync(path, replaceSection(text, name, section))
}

/**
 * The text with what is between the section's markers replaced; a new section comes last.
 * @throws NotMeasured when one of the markers is missing, or the end comes first
 */
export function replaceSection(text: string, name: string, section: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  const block = `${begin}\n${section.trim()}\n${end}`
  if (from < 0 && to < 0) return `${text.trimEnd()}\n\n${block}\n`
  if (from < 0 || to < from) throw new NotMeasured(`the document needs ${begin} and, after it, ${end}: one of them is missing`)
  return text.slice(0, from) + block + text.slice(to + end.length)
}
