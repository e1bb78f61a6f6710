import { expect, type Page } from '@playwright/test'

// What tells that somebody has come to harm by a list, or that a page came apart.

/** Dialogs that opened, and what the browser complained about. */
export function listen(page: Page) {
  const heard = { dialogs: [] as string[], complaints: [] as string[] }
  page.on('dialog', (dialog) => {
    heard.dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() === 'error') heard.complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => heard.complaints.push(String(error)))
  return heard
}

/** A missing logo is the list's fault; anything else would be ours. */
export const notTheLogo = (complaint: string) => !/404 \(Not Found\).*\/logos\/devnet\/not-there\.svg/.test(complaint)

/** What a reader or a click could come to harm by, on the page as it stands. */
async function findHarm(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // Marks that turn or hide text, and control characters.
    const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u
    const shown = (text: string | null) => (text ?? '').replaceAll(/\s/g, ' ')
    const harm: string[] = []
    const names = ['title', 'aria-label', 'alt'] as const
    for (const element of document.querySelectorAll('*')) {
      for (const name of names) {
        const text = shown(element.getAttribute(name))
        if (invisible.test(text)) harm.push(`${name} hides something: ${text.slice(0, 60)}`)
        if (text.length > 160) harm.push(`${name} has ${text.length} characters: ${text.slice(0, 60)}`)
      }
      if ([...element.attributes].some(({ name }) => name.startsWith('on')))
        harm.push(`<${element.localName}> listens in its markup`)
    }
    if (invisible.test(shown(document.body.textContent))) harm.push('the page shows text that hides something')
    if (invisible.test(shown(document.title)) || document.title.length > 160) harm.push(`the title: ${document.title}`)
    for (const link of document.querySelectorAll('a[href]')) {
      const href = link.getAttribute('href') ?? ''
      const { protocol, origin } = new URL(href, location.href)
      if (!/^https?:$/.test(protocol)) harm.push(`a link leads to ${href.slice(0, 60)}`)
      const rel = (link.getAttribute('rel') ?? '').split(' ')
      const isSafe = link.getAttribute('target') === '_blank' && rel.includes('noopener') && rel.includes('noreferrer')
      if (origin !== location.origin && !isSafe) harm.push(`a link out has no target and rel: ${href}`)
    }
    for (const image of document.querySelectorAll('img')) {
      const { protocol, origin } = new URL(image.src, location.href)
      if (protocol !== 'https:' && origin !== location.origin) harm.push(`an image comes from ${image.src.slice(0, 60)}`)
    }
    return harm
  })
}

/** Elements that are wider than the screen, and the page when it scrolls sideways. */
async function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) wide.push(`the page: ${scrollWidth} of ${clientWidth}`)
    for (const element of document.querySelectorAll('[role="dialog"], [role="dialog"] *')) {
      const { left, right, width } = element.getBoundingClientRect()
      const isHidden = element.closest('.sr-only, [aria-hidden="true"]') !== null
      if (width > 0 && !isHidden && (left < -1 || right > innerWidth + 1)) wide.push(`${element.localName}: ${left} to ${right}`)
    }
    return wide
  })
}

export async function expectHarmless(page: Page, where: string): Promise<void> {
  expect(await findHarm(page), where).toEqual([])
  expect(await findOverflow(page), where).toEqual([])
}
