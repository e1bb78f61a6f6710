import { expect, it } from 'vitest'
import { createCookies } from './cookies.ts'

const [a, b, c, d, e] = ['A', 'B', 'C', 'D', 'E'].map((letter) => letter.repeat(43)) as [string, string, string, string, string]
const https = createCookies('https://board.example')
const http = createCookies('http://board.example:3000')

it('over https no other host of the domain can have set them, over http they have plain names', () => {
  expect(https.writeSession(a)).toBe(`__Host-session=${a}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`)
  expect(https.writeBrowser([a, b])).toBe(`__Host-browser=${a}.${b}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure`)
  expect(https.writeSession(undefined)).toBe('__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure')
  expect(http.writeSession(a)).toBe(`session=${a}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`)
  expect(http.writeBrowser([a])).toBe(`browser=${a}; Path=/api; Max-Age=31536000; HttpOnly; SameSite=Lax`)
})

it("an operator's is sent to the panel's routes alone, from no other site, and ends with the browser", () => {
  expect(https.writeOperator(a)).toBe(`__Host-operator=${a}; Path=/; HttpOnly; SameSite=Strict; Secure`)
  expect(http.writeOperator(a)).toBe(`operator=${a}; Path=/api/admin; HttpOnly; SameSite=Strict`)
  expect(http.writeOperator(undefined)).toBe('operator=; Path=/api/admin; Max-Age=0; HttpOnly; SameSite=Strict')
  expect(https.readOperator(`operator=${b}; __Host-operator=${a}`)).toBe(a)
  expect(https.readOperator(`__Host-session=${b}`)).toBeUndefined()
})

it('reads a session under its own name alone', () => {
  expect(https.readSession(`x=1; __Host-session=${a}; session=${b}`)).toBe(a)
  expect(https.readSession(`session=${b}`)).toBeUndefined()
  expect(http.readSession(`__Host-session=${a}; session=${b}`)).toBe(b)
  for (const odd of ['', a.slice(1), `${a}A`, `${a}.${b}`, "' or 1=1; --"])
    expect(http.readSession(`session=${odd}`), odd).toBeUndefined()
  expect(http.readSession(undefined)).toBeUndefined()
})

it('reads up to four tokens of a browser, also the one of before there were several, and nothing of what is not ours', () => {
  expect(https.readBrowser(`__Host-browser=${a}.${b}.${c}.${d}`)).toEqual([a, b, c, d])
  expect(https.readBrowser(`browser=${a}`)).toEqual([a])
  expect(https.readBrowser(`browser=${a}; __Host-browser=${b}`)).toEqual([b])
  expect(http.readBrowser(`browser=${a}`)).toEqual([a])
  for (const odd of [
    '',
    '.',
    `${a}.`,
    `.${a}`,
    `${a}..${b}`,
    `${a},${b}`,
    `${a}.x`,
    [a, b, c, d, e].join('.'),
    'A'.repeat(8_000),
  ])
    expect(http.readBrowser(`browser=${odd}`), odd).toEqual([])
  expect(http.readBrowser(undefined)).toEqual([])
})
