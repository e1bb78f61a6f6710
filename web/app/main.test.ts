import { expect, test, vi } from 'vitest'

const happened = vi.hoisted((): string[] => [])
vi.mock('./Shell.tsx', () => ({ Shell: () => null }))
vi.mock('./lazyPages.ts', () => ({ loadDrawnPage: () => undefined }))
vi.mock('./afterStart.ts', () => ({ afterStart: () => undefined }))
vi.mock('react-dom/client', () => ({
  createRoot: () => ({ render: () => happened.push('render') }),
  hydrateRoot: () => undefined,
}))

test('a press on what this browser draws itself is not remembered, to be done a second time', async () => {
  vi.stubGlobal('document', { getElementById: (id: string) => (id === 'root' ? {} : null) })
  vi.stubGlobal('dispatchEvent', ({ type }: Event) => happened.push(type))
  await import('./main.tsx')
  expect(happened).toEqual(['take', 'render'])
  vi.unstubAllGlobals()
})
