// Every source of prices: a line for each, with the name of its folder.
export { cmcDex } from './cmcDex/definition.ts'
export { cmcListed } from './cmcListed/definition.ts'
export { feeds } from './feeds/definition.ts'
export { index } from './index/definition.ts'
export { subgraph } from './subgraph/definition.ts'
