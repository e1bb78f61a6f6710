// Runs before the first paint, as a file of its own because the content security policy allows no inline script.
// Keys and values are the ones lib/theme.ts and lib/brand.ts write.
const root = document.documentElement
// Until a page that the server drew is taken over (app/Pages.tsx). `own`: choices of the visitor move parts of it, which app.css hides meanwhile.
root.dataset.drawn = ''
try {
  if (['username', 'wallet', 'tableLook', 'watchlistShown'].some((key) => localStorage.getItem(key))) root.dataset.drawn = 'own'
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
  const brand = JSON.parse(localStorage.getItem('brand') || 'null')
  const colour = /^light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)$/
  if (brand && colour.test(brand.accent) && colour.test(brand.onAccent)) {
    root.style.setProperty('--accent', brand.accent)
    root.style.setProperty('--on-accent', brand.onAccent)
  }
} catch {
  // Storage is blocked: the page follows the system.
}

// The script of a page that the server drew is asked for after the first paint; a tab in the background paints nothing.
const { start } = document.currentScript.dataset
// One that does not come is asked for again after these pauses, and whenever the browser is back online.
const pausesMs = [1_000, 3_000, 9_000]
const retry = (src, tries) => {
  if (tries < pausesMs.length) setTimeout(load, pausesMs[tries], src, tries + 1)
  else {
    addEventListener('online', () => load(src, tries), { once: true })
    say()
  }
}
const load = (src, tries) => import(src).catch(() => retry(src, tries))
if (start)
  addEventListener('DOMContentLoaded', () => {
    if (document.hidden) load(start, 0)
    else requestAnimationFrame(() => setTimeout(load, 0, start, 0))
  })
// That of an empty page is an element.
addEventListener('error', ({ target }) => target.type === 'module' && retry(target.src, 0), true)

// The page can be read without it, and its links lead on.
let note
const say = () => {
  if (note) return
  note = document.createElement('p')
  note.role = 'alert'
  note.className = 'fixed inset-x-4 bottom-6 z-60 mx-auto w-fit rounded-8 border border-line-strong bg-surface-3 p-3 px-4 text-13'
  note.textContent = 'This page did not load completely. Prices and buttons do not work. '
  const button = document.createElement('button')
  button.className = 'font-strong text-ink underline underline-offset-4'
  button.textContent = 'Try Again'
  // Without the server there is nothing to load instead.
  button.onclick = () =>
    fetch('/healthz')
      .then(({ ok }) => ok && location.reload())
      .catch(() => {})
  note.append(button)
  document.body.append(note)
}
// Of app/main.tsx, which has come without the code of its page.
addEventListener('missing', say)

// Presses on buttons that come before the page can hear them are done once it can, in order (app/main.tsx, app/Pages.tsx). Who presses
// one again has seen nothing happen: it counts once.
const pressesMax = 8
const presses = new Set()
const remember = (button) => {
  if (!button) return
  presses.delete(button)
  presses.add(button)
  if (presses.size > pressesMax) presses.delete(presses.values().next().value)
}
const press = ({ target }) => remember(target.closest('button[type=button]'))
// So are forms that lead nowhere without scripts.
const hold = (event) => {
  if (event.target.hasAttribute('action')) return
  event.preventDefault()
  remember(event.submitter)
}
addEventListener('click', press, true)
addEventListener('submit', hold, true)
addEventListener('take', () => {
  removeEventListener('click', press, true)
  removeEventListener('submit', hold, true)
})
addEventListener(
  'taken',
  () => {
    note?.remove()
    for (const button of presses) setTimeout(() => button.click())
  },
  { once: true },
)

// `/` leads to a search that is there at once. Who asks for the palette gets it once it can be had (app/afterStart.ts), with what was typed
// for it meanwhile.
const typedMax = 64
let typed
const hear = (event) => {
  const { key, target, ctrlKey, metaKey } = event
  const asks = key === 'k' && (ctrlKey || metaKey)
  const free = !ctrlKey && !metaKey && !target.closest('input, textarea, select')
  const slash = key === '/' && free
  const letter = free && typed && key.length === 1
  if (!asks && !slash && !letter) return
  event.preventDefault()
  if (letter) return void (typed.length < typedMax && typed.push(key))
  const field = slash && location.pathname === '/' && document.querySelector('[name=q]')
  if (field) field.focus()
  else typed ??= []
}
addEventListener('keydown', hear, true)
addEventListener(
  'started',
  () => {
    removeEventListener('keydown', hear, true)
    const again = (init) => document.dispatchEvent(new KeyboardEvent('keydown', { ...init, cancelable: true }))
    if (typed) again({ key: 'k', ctrlKey: true })
    for (const key of typed ?? []) again({ key })
  },
  { once: true },
)
