import { Type } from 'typebox'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { signProof } from '../../server/testing/signProof.ts'
import { CheckFailed } from '../checkFailed.ts'
import { checkShape } from '../checkShape.ts'

/** Where the site says it is. */
export const publicUrl = 'https://board.example'
const siteName = 'Chainboard'
const pauseMs = 100
const madeKey = Type.Object({ key: Type.String() })

/** Wallets that make free keys. */
export type KeyOwners = {
  /** Makes free keys, one wallet after the other, until the server is gone. */
  writeUntilGone(url: string): Promise<void>
  /** Requests prices with the keys made since the last check; `all`: with every one. @throws CheckFailed when one is not known */
  check(url: string, all?: boolean): Promise<void>
  acknowledged(): number
}

/** Owners who have no key yet. @param random from 0 to 1 */
export function createKeyOwners(random: () => number): KeyOwners {
  const keys: string[] = []
  let checked = 0
  const place = () => `10.${Array.from({ length: 3 }, () => Math.floor(random() * 256)).join('.')}`
  return {
    writeUntilGone: async (url) => {
      for (;;) {
        const proof = await signProof(privateKeyToAccount(generatePrivateKey()), { siteName })
        const answer = await postJson(`${url}/api/keys/generate-free`, proof, { 'x-forwarded-for': place() })
        if (!answer) return
        if (answer.status !== 201) throw new CheckFailed(`a free key: ${JSON.stringify(answer)}`)
        keys.push(checkShape(madeKey, answer.body, 'a free key').key)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
    check: async (url, all = false) => {
      for (const key of keys.slice(all ? 0 : checked)) {
        const { status } = await fetch(`${url}/api/v1/prices`, { headers: { 'x-api-key': key } })
        if (status !== 200) throw new CheckFailed(`a free key that was acknowledged is answered ${status}`)
      }
      checked = keys.length
    },
    acknowledged: () => keys.length,
  }
}

/** Sends JSON. @returns undefined when the server was gone before the answer was complete */
export async function postJson(url: string, form: object, headers: Readonly<Record<string, string>> = {}) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(form),
    })
    const body: unknown = await answer.json()
    return { status: answer.status, body }
  } catch {
    return undefined
  }
}
