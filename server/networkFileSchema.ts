import { type Static, Type } from 'typebox'
import { sourceFields, sourceNames } from './market/sourceRegistry.ts'
import { baseFields, basePrices } from './networkBase.ts'
import { object } from './networkFields.ts'

/** Every field of a network file, those of price sources included; unknown fields are problems. */
export const networkFileSchema = object({
  ...baseFields,
  prices: object({
    sources: Type.Array(Type.String({ enum: [...sourceNames], description: `one of ${sourceNames.join(', ')}` }), {
      minItems: 1,
      maxItems: sourceNames.length,
      uniqueItems: true,
      description: `a list of ${sourceNames.join(', ')}, each once at most`,
    }),
    ...basePrices,
  }),
  ...sourceFields,
})

/** One network: its chain, its DEX, its links and how its prices are made. */
export type NetworkFile = Static<typeof networkFileSchema>
