import { expect, type Page } from '@playwright/test'
import { bar, field, fillLogin, newName, notice, pin, pretendUser, send, signUp, star } from './account.ts'
import { findObstacles, waitForPlaces, watchShifts } from './homePage.ts'
import { test } from './test.ts'

const storedName = (page: Page) => page.evaluate(() => localStorage.getItem('username'))
const toggle = (page: Page) => page.getByRole('button', { name: /have an account/ })

test.describe('an account', () => {
  test('is entered with its PIN, whatever the case of the name, and left from the page one is on', async ({ page }) => {
    const username = await signUp(page)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/login')
    await fillLogin(page, ` ${username.toLowerCase()} `, pin)
    await field(page, '4-Digit PIN').press('Enter')
    await expect(page.getByRole('heading', { name: 'Login Successful!' })).toBeVisible()
    await expect(bar(page).getByRole('link', { name: username })).toBeVisible()
    await bar(page).getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(bar(page).getByRole('link', { name: 'Login' })).toBeVisible()
    await expect.poll(async () => (await page.request.get(`/api/users/${username}`)).status()).toBe(401)
  })

  test('keeps whoever is signed in away from the login', async ({ page }) => {
    await pretendUser(page, [])
    const portfolio = page.waitForURL('**/portfolio')
    await page.goto('/login')
    await portfolio
  })

  test('does not lead on whoever has gone elsewhere before', async ({ page }) => {
    await page.clock.install()
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
    await page.goto('/login')
    await toggle(page).click()
    await fillLogin(page, newName(), pin)
    await send(page, 'Register').click()
    await expect(page.getByText('Redirecting to your portfolio...')).toBeVisible()
    await bar(page).getByRole('link', { name: 'Home' }).click()
    await expect(page.getByRole('heading', { name: 'All Tokens' })).toBeVisible()
    await page.clock.runFor(5_000)
    expect(visited).toEqual(['/login', '/'])
  })

  test('that another tab leaves or enters is left or entered in all', async ({ page, context }) => {
    const username = await signUp(page)
    await page.goto('/')
    const other = await context.newPage()
    await other.goto('/')
    await expect(bar(page).getByRole('link', { name: username })).toBeVisible()
    await expect(bar(other).getByRole('button', { name: 'Logout' })).toBeEnabled()
    await bar(other).getByRole('button', { name: 'Logout' }).click()
    await expect(bar(page).getByRole('link', { name: 'Login' })).toBeVisible()
    await other.goto('/login')
    await fillLogin(other, username, pin)
    await send(other, 'Login').click()
    await expect(bar(page).getByRole('link', { name: username })).toBeVisible()
  })

  test('whose session is over asks to log in again', async ({ page, context }) => {
    await signUp(page)
    await context.clearCookies()
    await page.goto('/')
    await expect(bar(page).getByRole('link', { name: 'Login' })).toBeVisible()
    expect(await storedName(page)).toBeNull()
  })

  test('keeps its place in the bar while it is looked up', async ({ page }) => {
    const username = await signUp(page)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/users/*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/')
    const name = bar(page).getByRole('link', { name: username })
    await expect(bar(page).getByRole('button', { name: 'Logout' })).toBeDisabled()
    const before = await name.boundingBox()
    await star(page, 'Basalt').click()
    await expect(notice(page, 'Still logging you in. Try again in a moment.')).toBeVisible()
    release()
    await expect(bar(page).getByRole('button', { name: 'Logout' })).toBeEnabled()
    expect(await name.boundingBox()).toEqual(before)
  })
})

test.describe('the login form', () => {
  test('wants a name and four digits before it asks the server', async ({ page }) => {
    let asked = 0
    await page.route('**/api/users**', (route) => {
      asked += 1
      return route.continue()
    })
    await page.goto('/login')
    await expect(send(page, 'Login')).toBeDisabled()
    await field(page, 'Username').fill(' ')
    await send(page, 'Login').click()
    await expect(field(page, 'Username')).toHaveAccessibleDescription('Username is required')
    await expect(field(page, 'Username')).toBeFocused()
    await field(page, 'Username').fill('somebody')
    await send(page, 'Login').click()
    await expect(field(page, '4-Digit PIN')).toHaveAccessibleDescription('PIN is required')
    await expect(field(page, '4-Digit PIN')).toBeFocused()
    await page.keyboard.type('4x8-2')
    await expect(field(page, '4-Digit PIN')).toHaveValue('482')
    await send(page, 'Login').click()
    await expect(page.getByRole('alert')).toHaveText('PIN must be 4 digits')
    await field(page, '4-Digit PIN').fill('')
    await page.keyboard.type('482199')
    await expect(field(page, '4-Digit PIN')).toHaveValue('4821')
    expect(asked).toBe(0)
  })

  test('takes four digits out of what is pasted, and shows them when asked', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/login')
    await page.evaluate(() => navigator.clipboard.writeText('PIN: 48 21 / 7'))
    await field(page, '4-Digit PIN').focus()
    await page.keyboard.press('Control+V')
    await expect(field(page, '4-Digit PIN')).toHaveValue('4821')
    await expect(field(page, '4-Digit PIN')).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show PIN' }).click()
    await expect(field(page, '4-Digit PIN')).toHaveAttribute('type', 'text')
  })

  test('says what is wrong with a name, a PIN, and a name that is taken', async ({ page }) => {
    const username = await signUp(page)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/login')
    await fillLogin(page, username, '9999')
    await send(page, 'Login').click()
    await expect(field(page, '4-Digit PIN')).toHaveAccessibleDescription('Invalid PIN')
    await expect(field(page, '4-Digit PIN')).toBeFocused()
    await fillLogin(page, newName(), pin)
    await send(page, 'Login').click()
    await expect(field(page, '4-Digit PIN')).toHaveAccessibleDescription('Invalid PIN')
    await toggle(page).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await fillLogin(page, username.toUpperCase(), pin)
    await send(page, 'Register').click()
    await expect(field(page, 'Username')).toHaveAccessibleDescription('Username is already taken')
    await expect(field(page, 'Username')).toBeFocused()
    await field(page, 'Username').fill('two words')
    await send(page, 'Register').click()
    await expect(page.getByRole('alert')).toContainText('Username: found "two words", expected 1 to 32 letters')
  })

  for (const [what, mode, path, answer, text] of [
    ['a login that gets no answer', 'Login', '**/verify-pin*', undefined, 'Login failed'],
    ['a login that is refused without words', 'Login', '**/verify-pin*', { status: 500, json: {} }, 'Login failed'],
    ['a PIN that is not confirmed', 'Login', '**/verify-pin*', { json: { success: false } }, 'Invalid PIN'],
    ["the server's own words", 'Login', '**/verify-pin*', { status: 503, json: { error: 'Closed today' } }, 'Closed today'],
    ['a registration without an answer', 'Register', '**/api/users?*', undefined, 'Registration failed'],
    ['a registration without a user', 'Register', '**/api/users?*', { status: 201, json: null }, 'Registration failed'],
  ] as const)
    test(`has a text for ${what}`, async ({ page }) => {
      await page.goto('/login')
      if (mode === 'Register') await toggle(page).click()
      await page.route(path, (route) => (answer ? route.fulfill(answer) : route.abort()))
      await fillLogin(page, newName(), pin)
      await send(page, mode).click()
      await expect(page.getByRole('alert')).toHaveText(text)
      await expect(send(page, mode)).toBeEnabled()
    })

  for (const [what, answer, text] of [
    ['a user whom nobody finds', { json: null }, 'User not found'],
    ['a user who does not come', undefined, 'Authentication failed'],
  ] as const)
    test(`has a text for ${what} after the PIN was right`, async ({ page }) => {
      await page.goto('/login')
      await page.route('**/verify-pin*', (route) => route.fulfill({ json: { success: true } }))
      await page.route('**/api/users/nobody?*', (route) => (answer ? route.fulfill(answer) : route.abort()))
      await fillLogin(page, 'nobody', pin)
      await send(page, 'Login').click()
      await expect(page.getByRole('alert')).toHaveText(text)
      expect(await storedName(page)).toBeNull()
    })

  test('has a text for a fault of the page itself', async ({ page }) => {
    await page.goto('/login')
    await fillLogin(page, newName(), pin)
    await page.evaluate(() => {
      AbortSignal.timeout = () => {
        throw new TypeError('broken')
      }
    })
    await send(page, 'Login').click()
    await expect(page.getByRole('alert')).toHaveText('An unexpected error occurred')
  })

  test('counts a wait down, and lets try again when it is over', async ({ page }) => {
    await page.clock.install()
    await page.goto('/login')
    const text = 'Too many attempts. Try again in 30 s.'
    await page.route('**/verify-pin*', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '30' }, json: { error: text } }),
    )
    await fillLogin(page, 'somebody', pin)
    await send(page, 'Login').click()
    await expect(page.getByRole('alert')).toHaveText(text)
    const waiting = page.getByRole('button', { name: /^Try again in \d+s$/ })
    await expect(waiting).toBeDisabled()
    await page.clock.runFor(20_000)
    await expect(waiting).toHaveText(/^Try again in (9|10|11)s$/)
    await expect(field(page, 'Sign-in code')).toHaveCount(0)
    await page.clock.runFor(11_000)
    await expect(send(page, 'Login')).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('offers a sign-in code instead of a long wait, and sends it', async ({ page }) => {
    await page.goto('/login')
    const bodies: unknown[] = []
    await page.route('**/verify-pin*', (route) => {
      bodies.push(route.request().postDataJSON())
      return route.fulfill({ status: 429, headers: { 'retry-after': '7200' }, json: { error: 'Too many attempts.' } })
    })
    await fillLogin(page, 'somebody', pin)
    await send(page, 'Login').click()
    await expect(page.getByRole('button', { name: /^Try again in (2h 0m|1h 59m)$/ })).toBeDisabled()
    await field(page, 'Sign-in code').fill(' 7KQ2M-XW4PR ')
    await send(page, 'Login').click()
    await expect.poll(() => bodies).toEqual([{ pin }, { pin, code: '7KQ2M-XW4PR' }])
  })

  test('is filled and sent without a mouse, and reads the same to all', async ({ page }) => {
    await page.goto('/')
    await bar(page).getByRole('link', { name: 'Login' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await expect(field(page, 'Username')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(field(page, 'Username')).toBeFocused()
    await page.keyboard.type(newName())
    await page.keyboard.press('Tab')
    await page.keyboard.type(pin)
    for (const name of ['Show PIN', 'Login', 'Forgot your PIN?', 'Sign in with Ethereum', "Don't have an account? Register"]) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('main').getByRole('button', { name, exact: true })).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await send(page, 'Register').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Registration Complete!' })).toBeFocused()
  })
})

for (const [device, viewport] of [
  ['a desk', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`the login has no obstacles on ${device}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await page.goto('/login')
    await expect(send(page, 'Login')).toBeDisabled()
    expect(await findObstacles(page)).toEqual([])
    await toggle(page).click()
    await fillLogin(page, 'somebody', '12')
    await send(page, 'Register').click()
    await expect(page.getByRole('alert')).toHaveText('PIN must be 4 digits')
    expect(await findObstacles(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
    await fillLogin(page, newName(), pin)
    await send(page, 'Register').click()
    await expect(page.getByText('Registration Complete!')).toBeVisible()
    expect(await findObstacles(page)).toEqual([])
  })

test('another page begins at its top, with the focus on its content, and going back returns to where one was', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 240 })
  await page.goto('/')
  await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
  await page.evaluate(() => scrollTo(0, 300))
  await bar(page).getByRole('link', { name: 'Login' }).click()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(send(page, 'Login')).toBeAttached()
  expect(await page.evaluate(() => [scrollY, document.documentElement.scrollHeight > 600])).toEqual([0, true])
  await page.goBack()
  await expect(page).toHaveTitle('Chainboard')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
})

test('the footer counts the registered users, and is silent when that is not known', async ({ page }) => {
  await page.route('**/api/stats/users*', (route) => route.fulfill({ json: { totalUsers: 1204 } }))
  await page.goto('/login')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('1,204 registered users')
  await expect(footer).toContainText('Block')
  const withCount = await footer.boundingBox()
  await page.route('**/api/stats/users*', (route) => route.fulfill({ status: 500, json: { error: 'out of order' } }))
  await page.reload()
  await expect(footer).toContainText('Block')
  await expect(footer).not.toContainText('registered')
  expect((await footer.boundingBox())?.height).toBe(withCount?.height)
})

test('a name without a session gives its place in the bar to the way in, and nothing moves', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const shifts = await watchShifts(page)
  await waitForPlaces(page)
  await page.addInitScript(() => localStorage.setItem('username', 'once-signed-in'))
  await page.goto('/')
  await expect(bar(page).getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
  expect(await shifts()).toEqual([])
})
