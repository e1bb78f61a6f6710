import { expect, it } from 'vitest'
import { replaceSection } from './docsSection.ts'

it('replaces its own section and leaves the others alone', () => {
  const text = 'Title\n\n<!-- a:begin -->\nold\n<!-- a:end -->\n\n<!-- b:begin -->\nkeep\n<!-- b:end -->\n'
  const wanted = 'Title\n\n<!-- a:begin -->\nnew\n<!-- a:end -->\n\n<!-- b:begin -->\nkeep\n<!-- b:end -->\n'
  expect(replaceSection(text, 'a', '\nnew\n')).toBe(wanted)
})

it('puts a new section last', () => {
  expect(replaceSection('Title\n', 'a', 'new')).toBe('Title\n\n<!-- a:begin -->\nnew\n<!-- a:end -->\n')
})

it('does not guess where a section with a lost marker ends', () => {
  expect(() => replaceSection('<!-- a:begin -->\nold\n', 'a', 'new')).toThrow('one of them is missing')
})
