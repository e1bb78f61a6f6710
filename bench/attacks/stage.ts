import type { Address } from 'viem'
import type { Rpc } from '../../devnet/rpc.ts'
import type { Transaction } from './chainTools.ts'
import type { HonestMarket } from './honestMarket.ts'
import type { Call, LabPool, LabToken, Position } from './pools.ts'

/** A chain of its own with honest traders, an attacker, and, once it is opened, a server that follows it. */
export type Stage = {
  readonly rpc: Rpc
  readonly honest: HonestMarket
  /** The attacker's account, and the contract that acts for it. */
  readonly attacker: Address
  readonly kit: Address
  /** Another account and contract of the attacker. */
  readonly accomplice: Address
  readonly accompliceKit: Address
  /** An honest trader, who acts where the others do not. */
  readonly trader: Address
  readonly traderKit: Address
  /** Who deployed the chain and provides its liquidity. */
  readonly provider: Address
  /** Unix seconds of the newest block. */
  seconds(): number
  /** @throws Error for a symbol that is not there */
  token(symbol: string): LabToken
  /** A pool of the chain, or one that the attacker will make: either is counted from now on. */
  pool(base: string, quote: string, fee: number): LabPool
  /** The pool's honest price: whole quote per whole base. @throws Error when a side has none */
  fairPrice(pool: LabPool): number
  /** Creates a token of the attacker and lists it. `usd`: what it is worth to others; undefined: nothing. */
  makeToken(contract: 'DevToken' | 'DevTrickToken', symbol: string, usd: number | undefined): Promise<LabToken>
  /** Gives whole tokens of the chain's stock to an account. */
  fund(symbol: string, whole: number, to?: Address): Promise<void>
  /** One block: the honest traders', then the attacker's calls through its contract. */
  act(...calls: Call[]): Promise<void>
  /** One block with these transactions behind the honest traders', `everySeconds` after the last one (2 or 3 when absent). */
  block(transactions?: readonly Transaction[], everySeconds?: number): Promise<void>
  /** Honest blocks, one a minute, that nobody watches, until the chain's time is this. */
  skipTo(seconds: number): Promise<void>
  /** Replaces the last blocks by empty ones. */
  reorg(depth: number): Promise<void>
  /** Compares the index's dollars with the chain's. */
  checkDollars(): Promise<void>
}

export type Attack = {
  readonly name: string
  /** What is done, in a few words. */
  readonly about: string
  /** Symbols; the first one's place and confidence are shown. */
  readonly targets: readonly string[]
  /** Symbols of attackers' tokens that the network file calls stable. */
  readonly stables?: readonly string[]
  /** Symbols of attackers' tokens that are not listed. */
  readonly unlisted?: readonly string[]
  /** It wants the targets' organic volume to fall; it waits itself until the server has read what it did. */
  readonly lowersOrganic?: boolean
  /** Nobody but the attacker trades the targets: nothing of it may count as organic volume. */
  readonly countsNothing?: boolean
  /** The chain leaves no trace of it: the server finds out by simulated sales. */
  readonly isFoundBySales?: boolean
  /** What the attacker has in pools when the attack begins: a part of what it holds. */
  positions?(stage: Stage): readonly Position[]
  /** Before there is a server. */
  prepare?(stage: Stage): Promise<void>
  /** Leaves no other positions open, so that balances tell the cost. */
  play(stage: Stage): Promise<void>
}
