import { sha256, stringToBytes } from 'viem'

// In a browser, in place of Node's `crypto`: as much of it as the verification uses.

const words = 2 ** 32

/** A whole number from 0, below `max`; which of several answers is looked at is no secret. */
export function randomInt(max: number): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
  return Math.floor((word / words) * max)
}

type Hash = { update(text: string): Hash; digest(form: 'hex'): string }

/** SHA-256 of texts, in hexadecimal digits. */
export function createHash(_: 'sha256'): Hash {
  let text = ''
  const hash: Hash = {
    update(more) {
      text += more
      return hash
    },
    digest: () => sha256(stringToBytes(text)).slice(2),
  }
  return hash
}
