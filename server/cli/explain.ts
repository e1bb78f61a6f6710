// `npm run explain -- price <address>`: where a number on the page comes from, read from the same store as the page.
import { parseAddress } from '@chainboard/core'
import { explainPrice } from '../market/explainPrice.ts'
import { openMarketSources } from '../openMarket.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { openVisitorStore } from '../store/openStore.ts'
import { exitWithFailure } from './runTool.ts'

const usage = 'Usage: npm run explain -- price <address or symbol of a listed token>'

const [what, which] = process.argv.slice(2)
if (what !== 'price' || !which) exitWith(usage)
const config = readConfigOrExit()
const { tokenList, store: location } = config
const wanted = which.toLowerCase()
const token = tokenList.tokens.find(({ id, symbol }) => id === parseAddress(which) || symbol.toLowerCase() === wanted)
if (!token) exitWith(`${which}: not on the token list. ${usage}`)

const store = await openVisitorStore(location).catch(exitWithFailure)
const say = (_: object, text: string) => console.error(text)
const sources = await openMarketSources({ ...config, tokenList: { tokens: [token], highlighted: [] } }, store, {
  log: { info: say, warn: say, error: say },
  onChange: () => undefined,
})
try {
  if (sources.cmc) console.error('This calls CoinMarketCap once for each of its sources, which costs at most one credit each.')
  await sources.keeper.readOnce()
  const market = sources.keeper.merge().byToken.get(token.id)
  if (market) console.log(explainPrice(market).join('\n'))
} finally {
  await sources.stop()
  await store.close()
}

function exitWith(text: string): never {
  console.error(text)
  process.exit(2)
}
