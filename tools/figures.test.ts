import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { tokenAnswer } from '@chainboard/contract'
import { describe, expect, it } from 'vitest'
import { toWireToken } from '../server/api/toWire.ts'
import { toFigures } from '../server/market/tokenMarket.ts'
import { bareMarket, bareQuote } from '../server/testing/bareMarket.ts'

// What of a token's figure no compiler sees: a value that ends on its way to the page. Each failure says what to do.

const root = resolve(import.meta.dirname, '..')
/** The files of the page that have a token in hand. */
const files = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(app|slices|token|lib)\/.*(?<!\.test)(?<!\/testToken)\.tsx?$/.test(file))
  .map((file) => readFileSync(join(root, 'web', file), 'utf8'))
  .filter((text) => /\bWireToken\b/.test(text))
  .map((text) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))

describe('every figure of a token', () => {
  it('goes from the market to the wire', () => {
    const read = new Set<PropertyKey>()
    const market = new Proxy(
      { ...bareMarket('T', 1), quote: bareQuote(1n) },
      {
        get: (of, name) => {
          read.add(name)
          return Reflect.get(of, name)
        },
      },
    )
    toWireToken(market, { nowSeconds: 0 })
    const figures = toFigures({ supply: undefined, quote: undefined, onChain: undefined, volume24hUsdE18: undefined })
    const lost = Object.keys(figures)
      .filter((name) => !read.has(name))
      .map(
        (name) =>
          `"${name}" of TokenFigures (server/market/tokenMarket.ts) ends at the server: add its field to tokenAnswer in contract/tokens.ts, and its value to toWireToken in server/api/toWire.ts`,
      )
    expect(lost).toEqual([])
  })

  it('goes from the wire to the page', () => {
    const unused = Object.keys(tokenAnswer.properties)
      .filter((name) => !files.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
      .map(
        (name) =>
          `"${name}" of tokenAnswer (contract/tokens.ts) is on no screen: add its column to web/slices/tokens/extraColumns.tsx`,
      )
    expect(unused).toEqual([])
  })
})
