import { type Address, toLowerHex } from '@chainboard/core'
import { type Static, Type } from 'typebox'
import { address, object } from '../../../networkFields.ts'

/** Feeds of a network: each costs two calls of a multicall that runs 512. */
const feedsMax = 200
const heartbeatSecondsMin = 10
const heartbeatSecondsMax = 31_536_000

const feeds = Type.Optional(
  Type.Record(
    Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    object({
      aggregator: address,
      heartbeatSeconds: Type.Integer({
        minimum: heartbeatSecondsMin,
        maximum: heartbeatSecondsMax,
        description: `seconds after which an answer is too old, a whole number from ${heartbeatSecondsMin} to ${heartbeatSecondsMax}`,
      }),
    }),
    {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: feedsMax,
      description: `1 to ${feedsMax} price feeds, each by the address of its token: 0x and 40 hexadecimal digits`,
    },
  ),
)

/** Price feeds of this chain by token. `aggregator` has the interface of Chainlink's, in US dollars. */
export const feedFile = { feeds }

type FeedSettings = NonNullable<Static<typeof feeds>>

/** A feed of one token. Addresses are in lower case. */
export type Feed = {
  readonly token: Address
  readonly aggregator: Address
  readonly heartbeatSeconds: number
}

/** @param settings as the schema passed them; absent: none */
export function toFeeds(settings: FeedSettings = {}): Feed[] {
  return Object.entries(settings).map(([token, { aggregator, heartbeatSeconds }]) => ({
    token: toLowerHex(token),
    aggregator: toLowerHex(aggregator),
    heartbeatSeconds,
  }))
}
