import { parseArgs } from 'node:util'

/** For `--help`, and below what is wrong with the flags. */
export const usage = `npm run init -- --rpc <url> [flags]
Reads a chain from its node, writes its network file and a first token list, and runs the doctor on them.

  --rpc <url>            the node; several separated by commas, of which init uses the first. Default: RPC_URL, which keeps a key out of the command line
  --factory <address>    the exchange's Uniswap v3 factory. Default: found in the newest trades
  --start-block <n>      the factory's first block, if the node cannot tell
  --position-manager <a> the exchange's NonfungiblePositionManager, which names the wrapped coin
  --wrapped <address>    the wrapped coin
  --stables <a,b>        tokens worth one US dollar, the main one first
  --name <name>          the name of the files: networks/<name>.json
  --chain-name <text>    the chain's name;    --coin <symbol>   its coin's symbol
  --site-name <text>     the site's name;     --dex-name <text> the exchange's name
  --swap-url <template>  the URL for trading a token, with {address}
  --pool-url <template>  the URL of a pool's page, with {address}
  --explorer <url>       the chain's explorer
  --tokens <n>           the most tokens in the first list. Default: 100
  --yes                  accept what was found, and print it
  --overwrite            replace files of that name`

const text = { type: 'string' } as const
const texts = {
  rpc: text,
  factory: text,
  'start-block': text,
  'position-manager': text,
  wrapped: text,
  stables: text,
  name: text,
  'chain-name': text,
  coin: text,
  'site-name': text,
  'dex-name': text,
  'swap-url': text,
  'pool-url': text,
  explorer: text,
  tokens: text,
}
const flag = { type: 'boolean' } as const
const switches = { yes: flag, overwrite: flag, help: flag }

export type FlagName = keyof typeof texts

/** What the operator said on the command line, unchecked. */
export type InitFlags = { readonly [name in FlagName]?: string } & { readonly [name in keyof typeof switches]?: boolean }

/** @throws TypeError with the message of `parseArgs`, for an unknown flag */
export function readInitFlags(args: readonly string[]): InitFlags {
  return parseArgs({ args: [...args], options: { ...texts, ...switches }, allowPositionals: false }).values
}
