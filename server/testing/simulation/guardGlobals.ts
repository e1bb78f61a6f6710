import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** Time and chance of the whole process, for as long as a story runs: nothing may come from outside it. @returns ends that */
export function guardGlobals(nowMs: () => number, randomInt: (below: number) => number): () => void {
  const { setTimeout, setInterval, setImmediate } = globalThis
  const { random } = Math
  const { now } = Date
  const { randomInt: drawn } = crypto
  const performanceNow = performance.now
  const refuse = (name: string) =>
    (() => {
      throw new Error(`${name} was called in a story: it has a clock and draws of its own`)
    }) as never
  Object.assign(globalThis, {
    setTimeout: refuse('setTimeout'),
    setInterval: refuse('setInterval'),
    setImmediate: refuse('setImmediate'),
  })
  Math.random = refuse('Math.random')
  Date.now = nowMs
  performance.now = nowMs
  setRandomInt(randomInt as typeof drawn)
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval, setImmediate })
    Math.random = random
    Date.now = now
    performance.now = performanceNow
    setRandomInt(drawn)
  }
}

/** Also for modules that have imported it by its name. */
function setRandomInt(draw: typeof crypto.randomInt): void {
  crypto.randomInt = draw
  syncBuiltinESMExports()
}
