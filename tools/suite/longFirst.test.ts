import { expect, it } from 'vitest'
import { putLongFirst } from './longFirst.ts'

const file = (path: string, isolate: boolean) => ({
  moduleId: `/clone/${path}.test.ts`,
  project: { name: path.split('/')[0] ?? '', config: { isolate } },
})

it('starts the longest files first, keeps those of one process together, and ends with the shortest', () => {
  const files = [
    file('contracts/a', true),
    file('core/b', false),
    file('server/c', false),
    file('server/process/stories', false),
    file('server/d', false),
    file('tools/e', true),
    file('tools/pack/packArchive', true),
    file('web/f', false),
    file('web/slices/wallet/walletConnect/openSession', false),
    file('bench/g', false),
    file('bench/options', false),
  ]
  expect(putLongFirst(files).map(({ moduleId }) => moduleId)).toEqual([
    '/clone/tools/pack/packArchive.test.ts',
    '/clone/contracts/a.test.ts',
    '/clone/tools/e.test.ts',
    '/clone/bench/options.test.ts',
    '/clone/bench/g.test.ts',
    '/clone/server/process/stories.test.ts',
    '/clone/server/c.test.ts',
    '/clone/server/d.test.ts',
    '/clone/web/slices/wallet/walletConnect/openSession.test.ts',
    '/clone/core/b.test.ts',
    '/clone/web/f.test.ts',
  ])
})
