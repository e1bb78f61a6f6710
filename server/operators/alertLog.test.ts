import { expect, it } from 'vitest'
import { createAlertLog } from './alertLog.ts'

function open() {
  const lines: [level: string, facts: object, text: string][] = []
  const { note, counts } = createAlertLog({
    info: (facts, text) => lines.push(['info', facts, text]),
    warn: (facts, text) => lines.push(['warn', facts, text]),
  })
  return { lines, note, counts }
}

it('each entry of the audit log is in the log by its place and hash, and nobody’s name', () => {
  const { lines, note, counts } = open()
  note({ seq: 41, hash: 'ab12', alerts: [] })
  expect(lines).toEqual([['info', { entry: 41, hash: 'ab12' }, 'The audit log has a new entry']])
  expect(counts()).toEqual({ 'first-use': 0, 'new-address': 0, 'many-deletions': 0 })
})

it('what is unusual about an entry is a warning each, and counted', () => {
  const { lines, note, counts } = open()
  note({ seq: 42, hash: 'cd34', alerts: ['first-use', 'new-address'] })
  note({ seq: 43, hash: 'ef56', alerts: ['many-deletions'] })
  note({ seq: 44, hash: '0178', alerts: ['many-deletions'] })
  expect(lines.filter(([level]) => level === 'warn')).toEqual([
    ['warn', { alert: 'first-use', entry: 42 }, 'An operator acts in a role for the first time: see entry 42 of the audit log'],
    ['warn', { alert: 'new-address', entry: 42 }, 'An operator acts from a new address: see entry 42 of the audit log'],
    [
      'warn',
      { alert: 'many-deletions', entry: 43 },
      'An operator deleted several keys within minutes: see entry 43 of the audit log',
    ],
    [
      'warn',
      { alert: 'many-deletions', entry: 44 },
      'An operator deleted several keys within minutes: see entry 44 of the audit log',
    ],
  ])
  expect(counts()).toEqual({ 'first-use': 1, 'new-address': 1, 'many-deletions': 2 })
})
