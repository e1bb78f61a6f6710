import { expect } from '@playwright/test'
import { test } from './test.ts'

const stream = /\/api\/v1\/stream/
const soonMs = 5_000

test('without a shared worker another tab has the stream soon after the one that had it was killed', async ({
  page,
  context,
}) => {
  await context.addInitScript(() => void Reflect.deleteProperty(window, 'SharedWorker'))
  const first = page.waitForRequest(stream)
  await page.goto('/')
  await first
  const other = await context.newPage()
  let streams = 0
  other.on('request', (request) => {
    if (stream.test(request.url())) streams += 1
  })
  await other.goto('/')
  const listWaiting = () => other.evaluate(async () => (await navigator.locks.query()).pending?.map(({ name }) => name))
  await expect.poll(listWaiting).toContain('live-prices-leader')
  expect(streams).toBe(0)
  const devtools = await context.newCDPSession(page)
  // It never answers.
  void devtools.send('Page.crash').catch(() => undefined)
  await expect.poll(() => streams, { timeout: soonMs }).toBe(1)
})
