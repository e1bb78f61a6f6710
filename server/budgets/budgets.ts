// What one address, one network and all clients together may cause. Every budget of the server has its name and its reason here.
// An address is an IPv4 address or an IPv6 /64, as `clientOf` names it; a network is its /24 or /48 (`networkOf.ts`).

/** Units within a window. `site` is absent where a limit for everybody would only help attackers to lock others out. */
export type Budget = {
  readonly windowSeconds: number
  readonly address: number
  readonly network: number
  readonly site?: number
}

/**
 * A network has four times what an address has, unless a line says otherwise: a firm or a provider has many addresses in one, and few of
 * their people come here in the same minute. Without it a /48 is 65,536 clients.
 */
const minute = (address: number): Budget => ({ windowSeconds: 60, address, network: 4 * address })
const hour = (address: number): Budget => ({ windowSeconds: 3_600, address, network: 4 * address })

/** What is counted by the request; the gateway by what a call costs the node (`gateway/costOf.ts`). */
export const budgets = {
  /**
   * `POST /rpc`: 600 calls of an address that run a contract's code, 1,200 cheap ones. A visitor who opens the window of a boost makes some 35 of the
   * former, and a few people may share an address. All clients together get what 20 of them would: a node that the operator pays by
   * the call costs no more than that, whatever comes.
   */
  gateway: { ...minute(1_200), site: 24_000 },
  /** `POST /subgraph`: a page of charts sends some 20 queries. What a query costs is counted besides (`graphThread`). */
  subgraph: minute(300),
  /** Milliseconds of the thread that answers GraphQL: of its 60,000 a minute, a third is one address's and half is one network's. */
  graphThread: { windowSeconds: 60, address: 20_000, network: 30_000 },
  /** Balances: a page asks once for each of 50 wallets when it is loaded, and may be loaded again and again. */
  balances: minute(300),
  /** Stakes: a page asks once for each wallet and each token that is staked somewhere. */
  stakes: minute(600),
  /** Receipts: one of an old block is computed from stored rows. */
  receipts: minute(120),
  /** Calls of operators, for each of their routes: a panel asks for two things every 30 seconds. */
  operators: minute(120),
  /** Registrations: a class room, but no flood of accounts. */
  registrations: hour(120),
  /** Tries for a free key: signing is quick, and each may cost a question to the chain. */
  freeKeyTries: hour(30),
  /** Recovery codes: each has 60 bits. A user who shares the address with an attacker waits a minute at most. */
  recoveries: minute(30),
  /** Challenges for passkeys and wallets: they are made without the database. */
  challenges: minute(600),
  /** Answers of passkeys: checking one takes a millisecond, and a whole firm behind one address gets through, also beside a flood. */
  passkeyAnswers: minute(300),
  /** Answers of wallets, and proofs: each may cost a question to the chain. A user who shares the address with a flood waits a minute at most. */
  walletAnswers: minute(60),
  /** New pictures of tokens, of the 240 a minute that all clients get (`api/share/shareLimits.ts`): a social network asks for one a link. */
  sharePictures: { windowSeconds: 60, address: 60, network: 120 },
  /**
   * Price streams that an address without any takes from others, while all are in use: one a minute, so that nobody drives others out
   * again and again. A /24 has no more than 256 addresses.
   */
  streamTurns: { windowSeconds: 60, address: 1, network: 256 },
  /** Files of swaps: each reads up to 200,000 rows. */
  swapFiles: minute(10),
} as const satisfies Readonly<Record<string, Budget>>

export type BudgetName = keyof typeof budgets

/**
 * Free keys that were made in one place and have been used lately. Each has 1,000 requests a day: an address has 50,000 with them, as many
 * as a firm or a school behind it needs, and no way to any number. A key that sleeps counts for nobody.
 */
export const freeKeysAwake = { address: 50, network: 200 } as const

/** A free key sleeps when nobody has used it for so long, and wakes with a signature of its wallet. */
export const freeKeySleepsAfterSeconds = 30 * 86_400

/**
 * Price streams that are open. Two addresses together hold 1 % of all, with any number of free keys. `paidKey` is of one key that the
 * operator gave out, whose holder is known, wherever it is used; 1,000 are kept for those keys. They take no more than `paid`, so that
 * strangers have places left.
 */
export const streams = { all: 5_000, free: 4_000, paid: 4_900, network: 100, address: 25, withoutKey: 10, paidKey: 100 } as const
