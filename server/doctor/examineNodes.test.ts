import { describe, expect, it } from 'vitest'
import { createDoctorRuns, failsOf } from '../testing/doctorRuns.ts'
import { type Strangeness, startStrangeNode } from '../testing/strangeNode.ts'

const { devnet, headSeconds, strange, linesFor } = createDoctorRuns()

/** Blocks and first topics that a call of `eth_getLogs` asks for. */
function rangeOf(params: readonly unknown[]) {
  const { fromBlock, toBlock, topics } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string; topics?: string[][] }
  return { blocks: Number(toBlock) - Number(fromBlock) + 1, topics: topics?.[0]?.length ?? 0 }
}

describe('a devnet and its own network file', () => {
  it('are in order: nothing fails, and the only warning is true', async () => {
    const lines = await linesFor()
    expect(failsOf(lines)).toEqual([])
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
      'warn  assets.json: found no pool with a US dollar or WEMB for CPPR, OCHR, expected one for each token. They get a price only through other tokens, at half the confidence, or from another source. To let more tokens price others, list them in prices.quotes',
    ])
    expect(lines).toContain('ok    chain.rpcUrls.0 (NODE): answers 10000 blocks at once')
    expect(lines).toContain('ok    dex.factory: a Uniswap v3 factory with the fees 500, 3000, 10000')
    expect(lines).toContain('ok    assets.json: 16 of 16 tokens are on the chain as the list says')
    expect(lines).toContain("ok    assets.json: 15 of 15 pools named in priceInfo are the exchange's")
  })
})

describe('a node that', () => {
  const reach = 'expected a JSON-RPC answer to eth_chainId'
  const html = '<!DOCTYPE html>\n<html><head><title>Welcome</title>'

  it.each<[string, Strangeness, string]>([
    [
      'belongs to another chain',
      { answer: ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined) },
      'found chain id 1, expected 31337, as chain.id says. One of the two belongs to another chain',
    ],
    ['never answers', { http: 'hang' }, `found no answer within 2 s, ${reach}. Call the URL with curl, or take another node`],
    [
      'answers HTTP 500',
      { http: { status: 500, body: 'boom' } },
      `found HTTP 500, ${reach}. Call the URL with curl, or take another node`,
    ],
    [
      'is a web page',
      { http: { status: 200, body: html } },
      `found not JSON: "<!DOCTYPE html> <html><head><title>Welco", ${reach}. The URL leads to a web page: look up the right RPC URL`,
    ],
    [
      'limits the rate of calls',
      { http: { status: 429, body: '' } },
      `found HTTP 429, ${reach}. You reached its rate limit: wait, or use a node with a key of your own`,
    ],
    [
      'redirects',
      { http: { status: 308, body: '', headers: { location: '/v2' } } },
      `found HTTP 308, ${reach}. It redirects, and redirects are not followed: use the final URL`,
    ],
    ['wants a key', { http: { status: 401, body: '' } }, `found HTTP 401, ${reach}. The key in the URL is missing or wrong`],
    [
      'answers JSON that is not JSON-RPC',
      { http: { status: 200, body: '{"hello":1}' } },
      `found JSON that is not JSON-RPC, ${reach}. Call the URL with curl, or take another node`,
    ],
  ])('%s', async (_name, strangeness, line) => {
    const lines = await linesFor({ rpcUrls: [await strange(strangeness)] })
    expect(lines).toContain(`FAIL  chain.rpcUrls.0 (NODE): ${line}`)
    expect(lines).toContain('FAIL  dex: found no node to ask, expected one that answers. Fix the nodes first')
  })

  it('refuses batches, which is a warning: the server sends it single calls', async () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Batch requests are disabled"}}'
    const lines = await linesFor({ rpcUrls: [await strange({ batch: { status: 200, body } })] })
    expect(lines).toContain(
      'warn  chain.rpcUrls.0 (NODE): found "Batch requests are disabled" to a batch, expected two answers to two calls in one request. The server sends it single calls, which are slower and use up more of a rate limit',
    )
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([])
  })

  it('is not there, with a key in its URL that is never shown', async () => {
    const gone = await startStrangeNode(devnet().rpcUrl, {})
    await gone.close()
    const lines = await linesFor({ rpcUrls: [`${gone.url}/v3/my-secret-key`] })
    expect(lines).toContain(
      `FAIL  chain.rpcUrls.0 (NODE): found ECONNREFUSED, ${reach}. Call the URL with curl, or take another node`,
    )
    expect(lines.join()).not.toContain('secret')
  })

  it('repeats the key of its URL in an error, which is not shown', async () => {
    const url = await strange({
      http: { status: 403, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"project my-secret-key is over"}}' },
    })
    const lines = await linesFor({ rpcUrls: [`${url}/v3/my-secret-key`] })
    expect(failsOf(lines)[0]).toBe(
      `FAIL  chain.rpcUrls.0 (NODE): found "project … is over", ${reach}. Call the URL with curl, or take another node`,
    )
  })

  it('repeats a short key of its URL when contracts are asked, which is not shown', async () => {
    const url = await strange({
      answer: ({ method }) =>
        method === 'eth_call' ? { error: { code: -32_000, message: 'project my-secret-key may not do this' } } : undefined,
    })
    const lines = await linesFor({ rpcUrls: [`${url}/v3/my-secret-key`] })
    const said = lines.filter((line) => line.includes('may not do this'))
    expect(said).toContain(
      'FAIL  dex.factory: found "project … may not do this", expected answers of the factory. Use another node',
    )
    expect(said).toContainEqual(expect.stringMatching(/^warn {2}usdc: found "project … may not do this", /))
    expect(lines.join()).not.toContain('secret')
  })

  it('has stopped', async () => {
    const url = await strange({
      change: ({ method }, result) =>
        method === 'eth_getBlockByNumber'
          ? { ...(result as object), timestamp: `0x${(headSeconds() - 3_595).toString(16)}` }
          : result,
    })
    expect(failsOf(await linesFor({ rpcUrls: [url] }))).toEqual([
      expect.stringMatching(
        /^FAIL {2}chain\.rpcUrls\.0 \(NODE\): found newest block \d+ is 3600 s old, expected at most 300 s: older prices are stale\. The node is behind, /,
      ),
    ])
  })

  it('lags behind another one', async () => {
    const head = Number(await devnet().rpc('eth_blockNumber'))
    const old = await devnet().rpc<{ timestamp: string }>('eth_getBlockByNumber', [`0x${(head - 40).toString(16)}`, false])
    const url = await strange({ change: ({ method }, result) => (method === 'eth_getBlockByNumber' ? old : result) })
    const lines = await linesFor({ rpcUrls: [devnet().rpcUrl, url] })
    const ageSeconds = headSeconds() + 5 - Number(old.timestamp)
    expect(failsOf(lines)).toEqual([
      `FAIL  chain.rpcUrls.1 (${new URL(url).host}): found newest block ${head - 40} is ${ageSeconds} s old, 40 blocks behind another node, expected at most 30 s behind. Remove the node until it has caught up`,
    ])
  })

  // As public providers say it.
  it.each([
    [-32_005, 'query returned more than 10000 results'],
    [-32_000, 'exceed maximum block range: 1000'],
    [-32_005, 'range 1001 exceeds limit of 1000'],
    [-32_602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 1K block range'],
    [-32_614, 'eth_getLogs is limited to a 1,000 range'],
  ])('refuses ranges of more than 100 blocks: %i %s', async (code, message) => {
    const url = await strange({
      answer: ({ method, params }) => {
        return method === 'eth_getLogs' && rangeOf(params).blocks > 100 ? { error: { code, message } } : undefined
      },
    })
    expect(
      await linesFor({ rpcUrls: [url], network: ({ chain }) => ({ chain: { ...chain, rpcUrls: [url], logRangeMax: 120 } }) }),
    ).toContain(
      `warn  chain.rpcUrls.0 (NODE): found answers 78 blocks at once: "${message}", expected 120, as chain.logRangeMax says. Write "logRangeMax": 78: every refusal costs time`,
    )
  })

  it('refuses wide ranges in words that the server does not take for a limit', async () => {
    const url = await strange({
      answer: ({ method, params }) => {
        return method === 'eth_getLogs' && rangeOf(params).blocks > 100
          ? { error: { code: -32_000, message: 'not like this' } }
          : undefined
      },
    })
    expect(failsOf(await linesFor({ rpcUrls: [url] }))).toEqual([
      'FAIL  chain.rpcUrls.0 (NODE): found answers 78 blocks at once: "not like this", expected 10000, the default of chain.logRangeMax. Write "logRangeMax": 78: the server does not recognize this message as a limit, so it would repeat the call',
    ])
  })

  it('has many logs in few blocks, which the index asks for in small ranges anyway: nothing is said', async () => {
    const url = await strange({
      answer: ({ method, params }) => {
        const { blocks, topics } = rangeOf(params)
        const dense = method === 'eth_getLogs' && blocks > 1 && topics > 1
        return dense ? { error: { code: -32_005, message: 'query returned more than 10000 results' } } : undefined
      },
    })
    expect(await linesFor({ rpcUrls: [url] })).toContain('ok    chain.rpcUrls.0 (NODE): answers 10000 blocks at once')
  })

  it('does not keep old logs', async () => {
    const url = await strange({
      answer: ({ method, params }) =>
        method === 'eth_getLogs' && Number((params[0] as { fromBlock: string }).fromBlock) < 20
          ? { error: { code: 4444, message: 'pruned history unavailable' } }
          : undefined,
    })
    expect(failsOf(await linesFor({ rpcUrls: [url] }))).toContain(
      'FAIL  chain.rpcUrls.0 (NODE): found "pruned history unavailable" for the logs of block 0, expected the logs from dex.startBlock on. It does not keep old logs: use a node with the full history, at least until the index has caught up',
    )
  })

  it('says no time in its logs', async () => {
    const url = await strange({
      change: ({ method }, result) =>
        method === 'eth_getLogs' ? (result as object[]).map((log) => ({ ...log, blockTimestamp: undefined })) : result,
    })
    expect(await linesFor({ rpcUrls: [url] })).toContain(
      'warn  chain.rpcUrls.0 (NODE): found no time, expected blockTimestamp in its logs. Reading takes one extra call for each block with a trade; a newer node is faster',
    )
  })

  it('takes too long in all', async () => {
    expect((await linesFor({ totalMs: 1 })).at(-1)).toBe(
      'warn  doctor: found no end after 0.001 s, expected an end. The rest was not checked: use a faster node',
    )
  })
})
