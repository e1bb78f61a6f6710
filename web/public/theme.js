// Runs before the first paint, as a file of its own because the content security policy allows no inline script.
// Keys and values are the ones lib/theme.ts and lib/brand.ts write.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
  const brand = JSON.parse(localStorage.getItem('brand') || 'null')
  const colour = /^light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)$/
  if (brand && colour.test(brand.accent) && colour.test(brand.onAccent)) {
    document.documentElement.style.setProperty('--accent', brand.accent)
    document.documentElement.style.setProperty('--on-accent', brand.onAccent)
  }
} catch {
  // Storage is blocked: the page follows the system.
}
