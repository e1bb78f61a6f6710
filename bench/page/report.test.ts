import { Value } from 'typebox/value'
import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { lighthouseReport, type PageRun, toPageRun } from './lighthouse.ts'
import { toRunLine, toSection } from './report.ts'

const scores = (performance: number) => ({ performance, accessibility: 100, 'best-practices': 100, seo: 91 })
const run = (device: PageRun['device'], performance: number, paintMs: number): PageRun => ({
  ...{ device, scores: scores(performance), firstPaintMs: paintMs, largestPaintMs: 2 * paintMs },
  ...{ layoutShift: 0.0123, blockedMs: 10, complaints: ['seo: Document has no description (meta-description)'] },
})
const runs = [run('mobile', 90, 1_500), run('desktop', 99, 300), run('desktop', 97, 500), run('desktop', 100, 400)]
const slow = [2_000, 1_500, 1_600].map((readableMs) => ({ readableMs, takenMs: 3 * readableMs }))
const files = [
  { file: 'assets/index-BtxquxT6.js', kind: 'js', brotliBytes: 90_000, when: 'first' },
  { file: 'assets/Chart-a_b-c123.js', kind: 'js', brotliBytes: 20_000, when: 'later' },
  { file: 'boot.js', kind: 'js', brotliBytes: 1_000, when: 'first' },
  { file: 'assets/index-Ab12Cd34.css', kind: 'css', brotliBytes: 9_000, when: 'first' },
] as const

it('takes the median of each device, and lists every run, desktop first', () => {
  const section = toSection({ ...quiet, lighthouse: '13.0.1', runs, slow, files })
  expect(readRows(section, '### Lighthouse')).toEqual([
    ['desktop', '3', '99', '100', '100', '91', '400', '800', '0.012', '10'],
    ['mobile', '1', '90', '100', '100', '91', '1500', '3000', '0.012', '10'],
  ])
  expect(readRows(section, 'Every run:').map(([device, performance]) => [device, performance])).toEqual([
    ['desktop', '99'],
    ['desktop', '97'],
    ['desktop', '100'],
    ['mobile', '90'],
  ])
  expect(readRows(section, '### Slow network')).toEqual([
    ['readable', '3', '1600', '2000'],
    ['taken over', '3', '4800', '6000'],
  ])
  expect(section).toContain('Below 100 for:\n\n- seo: Document has no description (meta-description)\n')
})

it('adds up the first load, and names files without the hash of their build', () => {
  const section = toSection({
    ...quiet,
    lighthouse: '13.0.1',
    runs: runs.map((each) => ({ ...each, complaints: [] })),
    slow,
    files,
  })
  expect(readRows(section, '### Bytes')).toEqual([
    ['js', '91,000', '105,000'],
    ['css', '9,000', '12,000'],
  ])
  expect(readRows(section, '| File')).toEqual([
    ['`index.js`', 'first', '90,000'],
    ['`Chart.js`', 'later', '20,000'],
    ['`boot.js`', 'first', '1,000'],
    ['`index.css`', 'first', '9,000'],
  ])
  expect(section).toContain('No issues in accessibility, best practices and SEO.')
})

it('prints a run as a line', () => {
  expect(toRunLine(run('mobile', 90, 1_500))).toBe(
    'mobile: Performance 90, Accessibility 100, Best practices 100, SEO 91, FCP ms 1500, LCP ms 3000, CLS 0.012, TBT ms 10, seo: Document has no description (meta-description)',
  )
})

const audits = {
  'first-contentful-paint': { title: 'First Contentful Paint', score: 0.9, numericValue: 812.5 },
  'largest-contentful-paint': { title: 'Largest Contentful Paint', score: 1, numericValue: 900 },
  'cumulative-layout-shift': { title: 'Cumulative Layout Shift', score: 1, numericValue: 0 },
  'total-blocking-time': { title: 'Total Blocking Time', score: 1, numericValue: 30 },
  'color-contrast': { title: 'Low contrast', score: 0 },
  'manual-check': { title: 'Needs a person', score: null },
  'not-weighted': { title: 'Not weighted', score: 0 },
}
const category = (score: number | null, ...ids: (readonly [string, number])[]) => ({
  score,
  auditRefs: ids.map(([id, weight]) => ({ id, weight })),
})
const report = {
  categories: {
    performance: category(0.97, ['first-contentful-paint', 10]),
    accessibility: category(0.93, ['color-contrast', 7], ['manual-check', 1], ['not-weighted', 0]),
    'best-practices': category(1),
    seo: category(null),
  },
  audits,
}

it('reads scores and times of a report, and the failed audits that count', () => {
  expect(Value.Check(lighthouseReport, report)).toBe(true)
  expect(toPageRun('desktop', report)).toEqual({
    device: 'desktop',
    scores: { performance: 97, accessibility: 93, 'best-practices': 100, seo: 0 },
    firstPaintMs: 812.5,
    largestPaintMs: 900,
    layoutShift: 0,
    blockedMs: 30,
    complaints: ['accessibility: Low contrast (color-contrast)'],
  })
})

it('does not take a report of a failed run for a bad page', () => {
  const failed = { ...report, runtimeError: { message: 'NO_FCP: the page did not paint' } }
  expect(() => toPageRun('mobile', failed)).toThrow('Lighthouse: NO_FCP: the page did not paint')
})
