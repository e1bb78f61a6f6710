import { type Address, findPinFlaw } from '@chainboard/core'

/** What a user is known to have; a user who is not there yet, or not any more, has nothing. */
type Known = { readonly exists: boolean; readonly wallets: readonly string[]; readonly favorites: readonly string[] }
type Act = 'register' | 'favor' | 'unfavor' | 'watch' | 'unwatch' | 'leave'

const nobody: Known = { exists: false, wallets: [], favorites: [] }

export type AccountWriter = {
  /** Changes one user, one thing after the other, until the server is gone. */
  writeUntilGone(url: string): Promise<void>
  /**
   * Compares the server's word with what was acknowledged. What was asked last without an answer may be done or not.
   * @throws Error when anything else is there
   */
  check(url: string): Promise<void>
  /** Changes that were acknowledged so far. */
  acknowledged(): number
}

/** @param random from 0 to 1 */
export function createAccountWriter(id: string, tokens: readonly Address[], random: () => number): AccountWriter {
  let generation = 0
  let known = nobody
  let asked: Known | undefined
  let cookie = ''
  let acknowledged = 0
  const name = () => `writer-${id}-${generation}`
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const digits = (count: number, base: number) => Array.from({ length: count }, () => Math.floor(random() * base))
  const makePin = (): string => {
    const made = digits(4, 10).join('')
    return findPinFlaw(made, name()) ? makePin() : made
  }
  // Of its own for each name: strangers with one PIN, or at one address, would be told to wait.
  let pin = makePin()
  let address = `10.${digits(3, 256).join('.')}`

  const call = async (url: string, method: string, path: string, body?: object) => {
    const headers = { cookie, 'x-forwarded-for': address, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await answer.text()
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    if (cookies.length > 0) cookie = cookies.join('; ')
    return { status: answer.status, body: text ? (JSON.parse(text) as unknown) : undefined }
  }

  const plan = (act: Act): { next: Known; send: (url: string) => ReturnType<typeof call> } => {
    const user = `/api/users/${name()}`
    const favorites = `/api/favorites/${name()}`
    const token = pick(act === 'favor' ? tokens.filter((each) => !known.favorites.includes(each)) : known.favorites)
    const fresh = `0x${digits(40, 10).join('')}`
    const wallet = pick(known.wallets)
    switch (act) {
      case 'register':
        return { next: { ...nobody, exists: true }, send: (url) => call(url, 'POST', '/api/users', { username: name(), pin }) }
      case 'favor':
        return {
          next: { ...known, favorites: [...known.favorites, token] },
          send: (url) => call(url, 'POST', favorites, { tokenAddress: token }),
        }
      case 'unfavor':
        return {
          next: { ...known, favorites: known.favorites.filter((each) => each !== token) },
          send: (url) => call(url, 'DELETE', `${favorites}/${token}`),
        }
      case 'watch':
        return {
          next: { ...known, wallets: [...known.wallets, fresh] },
          send: (url) => call(url, 'POST', `${user}/wallets`, { address: fresh, pin }),
        }
      case 'unwatch':
        return {
          next: { ...known, wallets: known.wallets.filter((each) => each !== wallet) },
          send: (url) => call(url, 'DELETE', `${user}/wallets/${wallet}`, { pin }),
        }
      case 'leave':
        return { next: nobody, send: (url) => call(url, 'DELETE', user, { pin }) }
    }
  }

  const choose = (): Act => {
    if (!known.exists) return 'register'
    if (random() < 0.05) return 'leave'
    const acts: Act[] = ['watch']
    if (known.favorites.length < tokens.length) acts.push('favor', 'favor')
    if (known.favorites.length > 0) acts.push('unfavor')
    if (known.wallets.length > 0) acts.push('unwatch')
    return pick(acts)
  }

  const settle = (state: Known) => {
    known = state
    asked = undefined
    if (!state.exists) {
      generation += 1
      cookie = ''
      pin = makePin()
      address = `10.${digits(3, 256).join('.')}`
    }
  }

  /** What the server says; a name that cannot sign in is nobody's. */
  const read = async (url: string): Promise<Known> => {
    const signedIn = await call(url, 'POST', `/api/users/${name()}/verify-pin`, { pin })
    if (signedIn.status === 401) return nobody
    const user = await call(url, 'GET', `/api/users/${name()}`)
    const favorites = await call(url, 'GET', `/api/favorites/${name()}`)
    if (user.status !== 200 || favorites.status !== 200)
      throw new Error(`${name()}: ${JSON.stringify([signedIn, user, favorites])}`)
    const { wallets } = user.body as { wallets: string[] }
    return { exists: true, wallets: wallets.map((each) => each.toLowerCase()), favorites: favorites.body as string[] }
  }

  return {
    writeUntilGone: async (url) => {
      for (;;) {
        const { next, send } = plan(choose())
        asked = next
        const answer = await send(url).catch(() => undefined)
        if (!answer) return
        if (answer.status >= 300) throw new Error(`${name()}: ${JSON.stringify(answer)}`)
        acknowledged += 1
        settle(next)
      }
    },
    check: async (url) => {
      const found = await read(url)
      const possible = asked ? [known, asked] : [known]
      if (!possible.some((state) => JSON.stringify(state) === JSON.stringify(found)))
        throw new Error(`${name()}: found ${JSON.stringify(found)}, possible are ${JSON.stringify(possible)}`)
      // A registration that was lost leaves the name free: it is tried again under another one.
      settle(found)
    },
    acknowledged: () => acknowledged,
  }
}
