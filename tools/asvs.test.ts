import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8')

/** Requirements of levels 1 and 2 of ASVS 5.0.0: those of a section are numbered from 1 on, and these are the last ones. */
const lastOfSection: Readonly<Record<string, number>> = {
  ...{ 1.1: 2, 1.2: 9, 1.3: 11, 1.4: 3, 1.5: 2, 2.1: 3, 2.2: 3, 2.3: 4, 2.4: 1, 3.2: 2, 3.3: 4, 3.4: 6, 3.5: 5, 3.7: 2 },
  ...{ 4.1: 3, 4.2: 1, 4.3: 2, 4.4: 4, 5.1: 1, 5.2: 3, 5.3: 2, 5.4: 3, 6.1: 3, 6.2: 12, 6.3: 4, 6.4: 4, 6.5: 5, 6.6: 3, 6.8: 4 },
  ...{ 7.1: 3, 7.2: 4, 7.3: 2, 7.4: 5, 7.5: 2, 7.6: 2, 8.1: 2, 8.2: 3, 8.3: 1, 8.4: 1, 9.1: 3, 9.2: 4 },
  ...{ 10.1: 2, 10.2: 2, 10.3: 4, 10.4: 11, 10.5: 5, 10.6: 2, 10.7: 3, 11.1: 2, 11.2: 3, 11.3: 3, 11.4: 4, 11.5: 1, 11.6: 1 },
  ...{ 12.1: 3, 12.2: 2, 12.3: 4, 13.1: 1, 13.2: 5, 13.3: 2, 13.4: 5, 14.1: 2, 14.2: 4, 14.3: 3, 15.1: 3, 15.2: 3, 15.3: 7 },
  ...{ 16.1: 1, 16.2: 5, 16.3: 4, 16.4: 3, 16.5: 3, 17.1: 1, 17.2: 4, 17.3: 2 },
}

const rows = page.split('\n').filter((line) => /^\| *(\d+\.[\d*]|API\d)/.test(line))
const statusOf = (row: string) => row.split('|')[3]?.trim()

it('every requirement of level 2 of ASVS 5.0.0 is in the table, once', () => {
  const wanted = Object.entries(lastOfSection).flatMap(([section, last]) =>
    Array.from({ length: last }, (_, place) => `${section}.${place + 1}`),
  )
  expect(wanted).toHaveLength(253)
  const listed = rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((each) => each.trim()))
  const found = listed.flatMap((each) =>
    each.endsWith('.*') ? wanted.filter((id) => id.startsWith(each.slice(0, -1))) : /^\d/.test(each) ? [each] : [],
  )
  expect(found.toSorted()).toEqual(wanted.toSorted())
  expect(listed.filter((each) => each.startsWith('API'))).toHaveLength(10)
})

it('every test that the table names is there', () => {
  const named = [...page.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`: "([^"]+)"/g)]
  expect(named.length).toBeGreaterThan(100)
  const missing = named.flatMap(([, file = '', name = '']) => {
    const path = join(root, file)
    return existsSync(path) && readFileSync(path, 'utf8').includes(name) ? [] : [`${file}: ${name}`]
  })
  expect(missing).toEqual([])
})

it('what is not met says why', () => {
  const unmet = rows.filter((row) => /^\*\*(no|partly)\*\*$/.test(statusOf(row) ?? '') || / \*\*(no|partly)\*\* /.test(row))
  expect(unmet.length).toBeGreaterThan(20)
  expect(unmet.filter((row) => (row.split('|').at(-3) ?? '').trim().length < 20)).toEqual([])
})
