import { expect, it } from 'vitest'
import { toHead } from './sectionHead.ts'

const quiet = { words: ['CPU: one', 'Node v24'], busy: false }

it('says what was measured, how to repeat it, and on what', () => {
  const head = { title: 'Board', about: 'A long list.', command: 'npm run bench -- board', machine: quiet, facts: ['nginx 1.22'] }
  expect(toHead(head)).toEqual([
    '## Board',
    'A long list.',
    '```sh\nnpm run bench -- board\n```',
    '- CPU: one\n- Node v24\n- nginx 1.22',
  ])
})

it('warns of figures of a busy machine', () => {
  const head = toHead({ title: 'Board', about: '', command: '', machine: { ...quiet, busy: true } })
  expect(head.at(-2)).toBe('- CPU: one\n- Node v24')
  expect(head.at(-1)).toBe('**Other programs were running on this machine, so these figures are from a busy one.**')
})
