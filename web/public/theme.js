// Runs before the first paint, as a file of its own because the content security policy allows no inline script.
// Keys and values are the ones lib/theme.ts and lib/brand.ts write.
const root = document.documentElement
// Until a page that the server drew is taken over (app/Shell.tsx). `own`: choices of the visitor move parts of it, which app.css hides meanwhile.
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
