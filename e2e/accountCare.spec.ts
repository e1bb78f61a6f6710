import { expect, type Page } from '@playwright/test'
import { bar, field, fillLogin, newName, pin, send, signUp } from './account.ts'
import { findObstacles } from './homePage.ts'
import { test } from './test.ts'

const newPin = '7394'
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const devices = (page: Page) => region(page, 'Devices').getByRole('listitem')
const pinField = (page: Page) => page.getByLabel('4-Digit PIN', { exact: true })

test('a user sees a new login, ends it, and gets back in with a recovery code', async ({ page, browser, baseURL }) => {
  const username = await signUp(page)
  const phone = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 390, height: 844 },
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  })
  const there = await phone.newPage()
  expect((await there.request.post(`/api/users/${username}/verify-pin`, { data: { pin } })).status()).toBe(200)

  await page.goto('/portfolio')
  const notice = page.getByRole('status').filter({ hasText: 'New login: Safari on iPhone' })
  await expect(notice).toBeVisible()
  await expect(devices(page)).toHaveCount(2)
  await expect(devices(page).first()).toContainText('This device')
  expect(await findObstacles(page)).toEqual([])
  await notice.getByRole('button', { name: 'It Was Me' }).click()
  await expect(notice).toBeHidden()
  await page.getByRole('button', { name: 'Log Out: Safari on iPhone' }).click()
  await expect(devices(page)).toHaveCount(1)
  expect((await there.request.get(`/api/users/${username}`)).status()).toBe(401)
  // Its network is still known: it can be forgotten with no other device in the list.
  const forgotten = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Log Out All Others' }).click()
  expect((await forgotten).status()).toBe(204)
  await expect(page.getByText('All other devices are logged out and forgotten')).toBeVisible()
  await expect(devices(page)).toHaveCount(1)

  await region(page, 'Recovery codes').getByRole('button', { name: 'Get Codes' }).click()
  await pinField(page).fill(pin)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(8)
  const code = (await codes.first().textContent()) ?? ''

  // The phone has lost the PIN, and has the code.
  await there.goto('/login')
  await there.getByRole('button', { name: 'Forgot your PIN?' }).click()
  await expect(field(there, 'Username')).toBeFocused()
  expect(await findObstacles(there)).toEqual([])
  await field(there, 'Username').fill(username)
  await there.getByLabel('Recovery code', { exact: true }).fill(code.toLowerCase())
  await there.getByLabel('New 4-Digit PIN').fill('1234')
  await there.getByRole('button', { name: 'Set PIN and Log In' }).click()
  await expect(there.getByRole('alert')).toContainText('PIN is easy to guess')
  await there.getByLabel('New 4-Digit PIN').fill(newPin)
  await there.getByRole('button', { name: 'Set PIN and Log In' }).click()
  await expect(there).toHaveURL('/portfolio')
  await expect(region(there, 'Recovery codes')).toContainText('7 left')
  expect(await findObstacles(there)).toEqual([])

  // Whoever was logged in before is out, and the old PIN opens nothing.
  await page.reload()
  await expect(bar(page).getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto('/login')
  await fillLogin(page, username, pin)
  await send(page, 'Login').click()
  await expect(page.getByRole('alert')).toHaveText('Invalid PIN')
  await phone.close()
})

test('a PIN is changed, and an easy one is refused with the reason', async ({ page }) => {
  const username = newName()
  await page.goto('/login')
  await page.getByRole('button', { name: /Register$/ }).click()
  await fillLogin(page, username, '1987')
  await expect(page.getByText('Easy to guess. How about')).toBeVisible()
  await send(page, 'Register').click()
  await expect(page.getByRole('alert')).toHaveText('PIN is easy to guess: it is a year. Choose another one')
  await field(page, '4-Digit PIN').fill(pin)
  await send(page, 'Register').click()
  await expect(page).toHaveURL('/portfolio')
  await page.getByRole('button', { name: 'Change PIN' }).click()
  await expect(page.getByLabel('Current PIN')).toBeFocused()
  await page.getByLabel('Current PIN').fill('9024')
  await page.getByLabel('New PIN', { exact: true }).fill(newPin)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid PIN' })).toBeVisible()
  await page.getByLabel('Current PIN').fill(pin)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Change PIN' })).toBeFocused()
  // The page remembers the new one for what asks for it.
  expect((await page.request.post(`/api/users/${username}/verify-pin`, { data: { pin: newPin } })).status()).toBe(200)
})
