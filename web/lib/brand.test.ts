import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hardestSurface, textOn, toReadableAccent } from './brand.ts'

test('an accent that already reads well is kept', () => {
  expect(toReadableAccent('#ff8a4c', '#181c25')).toBe('#ff8a4c')
  expect(toReadableAccent('#B8430A', '#ffffff')).toBe('#b8430a')
})

test('an accent too close to its ground is moved away from it', () => {
  expect(toReadableAccent('#000000', '#000000')).toBe('#808080')
  expect(toReadableAccent('#ffffff', '#ffffff')).toBe('#737373')
})

test('what is no colour is refused', () => {
  expect(toReadableAccent('red', '#000000')).toBeUndefined()
  expect(toReadableAccent('url(https://x.example)', '#000000')).toBeUndefined()
})

test('text on an accent is black on light ones and white on dark ones', () => {
  expect(textOn('#ff8a4c')).toBe('#0a0a0a')
  expect(textOn('#b8430a')).toBe('#ffffff')
})

test('the surfaces the accent is checked against are the ones of the style sheet', () => {
  const css = readFileSync(new URL('../app/styles/tokens.css', import.meta.url), 'utf8')
  expect(css).toContain(`--surface-2: light-dark(${hardestSurface.light}, ${hardestSurface.dark});`)
})
