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
const load = () => import(start)
if (start)
  addEventListener('DOMContentLoaded', () => {
    if (document.hidden) load()
    else requestAnimationFrame(() => setTimeout(load))
  })

// A press on a button that comes before the page can hear it is done once it can (app/main.tsx, app/Pages.tsx).
let pressed
const press = (event) => {
  pressed = event.target.closest('button[type=button]')
}
// So is a form that leads nowhere without scripts.
const hold = (event) => {
  if (event.target.hasAttribute('action')) return
  event.preventDefault()
  pressed = event.submitter
}
addEventListener('click', press, true)
addEventListener('submit', hold, true)
addEventListener('take', () => {
  removeEventListener('click', press, true)
  removeEventListener('submit', hold, true)
})
addEventListener('taken', () => pressed?.click(), { once: true })
