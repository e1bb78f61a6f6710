import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const heading = `# Benchmarks

What \`npm run bench -- <name>\` measured. Every section is written by the run it tells of: its numbers hold for that machine at that
moment, and each names the command that makes it again.
`

/** Puts a benchmark's section into the document, in the place of its last one. */
export function writeSection(path: string, name: string, section: string): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : heading
  writeFileSync(path, replaceSection(text, name, section))
}

/**
 * The text with what stands between the section's markers replaced; a new section comes last.
 * @throws Error when only one of the markers is there, or they stand the wrong way round
 */
export function replaceSection(text: string, name: string, section: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  const block = `${begin}\n${section.trim()}\n${end}`
  if (from < 0 && to < 0) return `${text.trimEnd()}\n\n${block}\n`
  if (from < 0 || to < from) throw new Error(`the document needs ${begin} and, after it, ${end}: one of them is missing`)
  return text.slice(0, from) + block + text.slice(to + end.length)
}
