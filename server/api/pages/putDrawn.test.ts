import { expect, test } from 'vitest'
import { putDrawn, toScriptText } from './putDrawn.ts'

const shell = '<html><head></head><body><div id="root"></div><noscript>Turn it on</noscript></body></html>'

test('names of tokens end neither the element of the state nor its lines, and say the same', () => {
  const name = '</script><script>alert(1)</script><!-- & \u2028\u2029\u202e\u200b\u{e0041}'
  const text = toScriptText(JSON.stringify({ name }))
  expect(text).not.toMatch(/[<>&\u2028\u2029\u202e\u200b\u{e0041}]/u)
  expect(JSON.parse(text)).toEqual({ name })
})

test('a name is no pattern for what it is put into', () => {
  const page = putDrawn(shell, { html: "<b>$& $' $1</b>", css: '', state: '"$&"' })
  expect(page).toContain('<div id="root"><b>$& $\' $1</b></div>')
  expect(page).toContain('id="drawn">"$\\u0026"</script>')
})

test('a page that is there needs no word for browsers without scripts', () => {
  expect(putDrawn(shell, { html: 'x', css: '', state: '0' })).not.toContain('noscript')
})

test('the script of a page that can be read already waits for the first script, which asks for it after the first paint', () => {
  const scripts =
    '<script src="/theme.js"></script>\n <script type="module" crossorigin src="/assets/index-a1.js"></script><link href="/a.css">'
  const page = putDrawn(shell.replace('<head>', `<head>${scripts}`), { html: 'x', css: '', state: '0' })
  expect(page).toContain('<head><script src="/theme.js" data-start="/assets/index-a1.js"></script><link href="/a.css"></head>')
})
