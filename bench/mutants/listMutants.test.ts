import { expect, it } from 'vitest'
import { listMutants } from './listMutants.ts'
import { toSection } from './report.ts'

const wrap = (body: string) => `contract TokenBoost {\n  function f(uint a, uint b) public {\n    ${body}\n  }\n}\n`
const list = (body: string) => listMutants(wrap(body)).map(({ operator, before, after }) => [operator, before, after])

it('makes one small mistake at each place', () => {
  expect(list('if (a < 7) b = a;')).toEqual([
    ['condition', 'a < 7', 'true'],
    ['condition', 'a < 7', 'false'],
    ['comparison', '<', '<='],
    ['comparison', '<', '>='],
    ['literal', '7', '8'],
    ['statement left out', 'b = a;', '{}'],
  ])
  expect(list('b += a * 1_000;')).toEqual([
    ['statement left out', 'b += a * 1_000;', '{}'],
    ['assignment', '+=', '-='],
    ['assignment', '+=', '='],
    ['arithmetic and logic', '*', '/'],
    ['literal', '1_000', '1001'],
  ])
})

it('changes the source at that place alone, and knows its line', () => {
  const [mutant] = listMutants(wrap('uint c = a + b;'))
  expect(mutant).toEqual({
    ...{ operator: 'arithmetic and logic', line: 3, before: '+', after: '-' },
    source: wrap('uint c = a - b;'),
  })
})

it('turns conditions and booleans round', () => {
  expect(list('bool c = !true;')).toEqual([
    ['condition', '!true', 'true'],
    ['literal', 'true', 'false'],
  ])
})

it('refuses a source that the compiler refuses', () => {
  expect(() => listMutants('contract {')).toThrow(/Expected identifier/)
})

it('counts what the tests noticed, without what did not compile', () => {
  const mutant = (operator: string, line: number) => ({ operator, line, before: 'a', after: 'b', source: '' })
  const section = toSection('npm run bench -- mutants', [
    { mutant: mutant('literal', 30), fate: 'survived' },
    { mutant: mutant('literal', 10), fate: 'killed' },
    { mutant: mutant('condition', 20), fate: 'survived' },
    { mutant: mutant('condition', 21), fate: 'no program' },
    { mutant: mutant('literal', 40), fate: 'killed' },
  ])
  expect(section).toContain(
    '| condition |       1 |      0 |        1 |  0.0 % |\n| literal   |       3 |      2 |        1 | 66.7 % |\n',
  )
  expect(section).toContain('| all       |       4 |      2 |        2 | 50.0 % |')
  expect(section).toContain('Mutants that did not compile are left out (1).')
  expect(section.endsWith('Survivors:\n\n- line 20, condition: `a` → `b`\n- line 30, literal: `a` → `b`')).toBe(true)
  expect(toSection('it', [])).toMatch(/\| all {5}\|.* – \|\n\nNone survived\.$/)
})
