import { toTable } from '../table.ts'
import type { Mutant } from './listMutants.ts'

/** What became of a mutant. `no program`: the compiler refused it, so it does not count. */
export type Fate = { readonly mutant: Mutant; readonly fate: 'killed' | 'survived' | 'no program' }

/** The section of the document that a run writes. */
export function toSection(command: string, fates: readonly Fate[]): string {
  const operators = [...new Set(fates.map(({ mutant }) => mutant.operator))].toSorted()
  const count = (fate: Fate['fate'], operator?: string) =>
    fates.filter((each) => each.fate === fate && (operator === undefined || each.mutant.operator === operator)).length
  const toRow = (name: string, operator?: string) => {
    const [killed, survived] = [count('killed', operator), count('survived', operator)]
    return [name, `${killed + survived}`, `${killed}`, `${survived}`, toShare(killed, killed + survived)]
  }
  const survivors = fates
    .filter(({ fate }) => fate === 'survived')
    .toSorted((a, b) => a.mutant.line - b.mutant.line)
    .map(({ mutant: { line, operator, before, after } }) => `- line ${line}, ${operator}: \`${before}\` → \`${after}\``)
  return [
    '## Mutants',
    '',
    'Each mutant is the contract with one small mistake. It is killed if a test fails; a survivor is a mistake that no test',
    `notices. Mutants that did not compile are left out (${count('no program')}). Written by \`${command}\`.`,
    '',
    toTable(
      ['Mistake', 'Mutants', 'Killed', 'Survived', 'Score'],
      [...operators.map((operator) => toRow(operator, operator)), toRow('all')],
    ),
    '',
    survivors.length === 0 ? 'None survived.' : 'Survivors:',
    ...(survivors.length === 0 ? [] : ['', ...survivors]),
  ].join('\n')
}

function toShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}
