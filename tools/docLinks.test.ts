import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const list = (folder: string, recursive: boolean) =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.md') ? [join(folder, name)] : [],
  )
const texts = new Map(
  [...list('.', false), ...list('docs', true), 'sdk/README.md'].map((page) => [
    page,
    // What is in a code block is neither a heading nor a link.
    readFileSync(join(root, page), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, ''),
  ]),
)

/** The anchor that GitHub gives a heading. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}_ -]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (text: string) => [
  ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading)),
  ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id),
]

it('every link of a page leads to a file and a heading that are there', () => {
  const links = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => {
      const to = path === '' ? page : join(page, '..', path)
      return { page, to, anchor }
    }),
  )
  expect(links.length).toBeGreaterThan(300)
  const broken = links.filter(({ to, anchor }) => {
    if (anchor === undefined) return !existsSync(join(root, to))
    return !anchorsOf(texts.get(to) ?? '').includes(anchor)
  })
  expect(broken).toEqual([])
})

it.each(['docs/security.md', 'docs/operations/security.md', 'docs/operations/leaks.md'])(
  '%s is read in five minutes, at 230 words a minute',
  (page) => {
    // Counted as wc does, so that it also counts the lines of tables.
    expect(texts.get(page)?.trim().split(/\s+/).length).toBeLessThanOrEqual(1100)
  },
)
