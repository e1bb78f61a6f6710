import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { createConfigFiles } from './testing/configFiles.ts'
import { listed, networkFile } from './testing/market.ts'

const { dir, write, writeNetwork, problemsOf } = createConfigFiles()

const ofUrl = (RPC_URL: string) => problemsOf({ RPC_URL }).filter(({ field }) => field === 'RPC_URL')

describe('the configuration', () => {
  it.each([
    ['http://a:1,http://a:1', 1, 2],
    ['http://a:1, http://b, http://A:1/', 1, 3],
    ['https://a/key, https://a:443/key/', 1, 2],
  ])('takes each node once: %s', (RPC_URL, first, second) => {
    const found = `the same URL at positions ${first} and ${second}`
    expect(ofUrl(RPC_URL)).toEqual([{ field: 'RPC_URL', found, wanted: 'each node once' }])
  })

  it('takes each node of the network file once', () => {
    const { chain } = networkFile
    writeNetwork('twins', { ...networkFile, chain: { ...chain, rpcUrls: ['http://a:1', 'http://b:2', 'http://b:2/'] } })
    expect(problemsOf({ NETWORK: 'twins' })).toEqual([
      { field: 'chain.rpcUrls', found: 'the same URL at positions 2 and 3', wanted: 'each node once' },
    ])
  })

  it('takes two keys of one provider', () => {
    expect(ofUrl('https://a/key1,https://a/key2,https://a/?k=1,https://a/?k=2')).toEqual([])
  })

  it('has no port of its own for probes, and drains for a second, by default', () => {
    expect(readConfig({})).toMatchObject({ metricsPort: undefined, metricsHost: '127.0.0.1', drainSeconds: 1 })
    const told = readConfig({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', DRAIN_SECONDS: '2.5' })
    expect(told).toMatchObject({ metricsPort: 9464, metricsHost: '0.0.0.0', drainSeconds: 2.5 })
  })

  it('says what is wrong with the port of the probes and the time to drain', () => {
    const of = (env: Record<string, string>) => {
      writeNetwork('devnet', networkFile)
      return problemsOf(env)
    }
    expect(of({ METRICS_PORT: '99999' })).toEqual([
      { field: 'METRICS_PORT', found: '"99999"', wanted: 'a whole number from 0 to 65535' },
    ])
    expect(of({ PORT: ' ', DRAIN_SECONDS: ' ', PROXIES: ' ' }).map(({ field, found }) => `${field}: ${found}`)).toEqual([
      'PORT: " "',
      'DRAIN_SECONDS: " "',
      'PROXIES: " "',
    ])
    expect(of({ PORT: '9464', METRICS_PORT: '9464' })).toEqual([
      { field: 'METRICS_PORT', found: '"9464"', wanted: 'another port than PORT' },
    ])
    for (const text of ['-1', '301', 'soon', 'NaN'])
      expect(of({ DRAIN_SECONDS: text })).toEqual([
        { field: 'DRAIN_SECONDS', found: `"${text}"`, wanted: 'seconds from 0 to 300' },
      ])
  })

  it('of the devnet that we ship is right', () => {
    const config = readConfig({})
    expect(config.network.chain.id).toBe(31_337)
    expect(config.tokenList.tokens.length).toBeGreaterThanOrEqual(14)
    expect(config.domain).toBe('127.0.0.1:3000')
    expect(config.origin).toBe('http://127.0.0.1:3000')
    expect(config.pepper).toEqual({ file: expect.stringMatching(/\/data\/devnet\/pepper$/), given: undefined })
  })

  it('takes the environment over the defaults', () => {
    writeNetwork('good', networkFile)
    const env = {
      NETWORK: 'good',
      PORT: '8080',
      PUBLIC_URL: 'https://board.example',
      RPC_URL: 'http://a:1, http://b:2',
      DATABASE_URL: 'postgres://x/y',
      DATA_DIR: '/somewhere',
      PIN_PEPPER: 'p'.repeat(32),
    }
    expect(readConfig(env, dir)).toMatchObject({
      port: 8_080,
      origin: 'https://board.example',
      domain: 'board.example',
      rpcUrls: ['http://a:1', 'http://b:2'],
      store: { databaseUrl: 'postgres://x/y' },
      pepper: { file: '/somewhere/good/pepper', given: 'p'.repeat(32) },
    })
  })

  it('takes a role and a replica with PostgreSQL only', () => {
    writeNetwork('good', networkFile)
    const shared = { NETWORK: 'good', DATABASE_URL: 'postgres://x/y' }
    expect(readConfig(shared, dir)).toMatchObject({ role: 'auto', readUrl: undefined })
    const replica = 'postgres://z/y'
    expect(readConfig({ ...shared, ROLE: 'serve', DATABASE_READ_URL: replica }, dir)).toMatchObject({
      role: 'serve',
      readUrl: replica,
    })
    expect(problemsOf({ NETWORK: 'good', ROLE: 'serve', DATABASE_READ_URL: replica })).toEqual([
      {
        field: 'DATABASE_READ_URL',
        found: 'a URL without DATABASE_URL',
        wanted: 'the URL of a replica of DATABASE_URL',
      },
      {
        field: 'ROLE',
        found: '"serve" without DATABASE_URL',
        wanted: '"auto": the only server on a file does everything',
      },
    ])
    expect(problemsOf({ ...shared, ROLE: 'leader' })).toEqual([{ field: 'ROLE', found: '"leader"', wanted: '"auto" or "serve"' }])
  })

  it('wants a pepper that cannot be guessed, and does not repeat it', () => {
    writeNetwork('good', networkFile)
    const wanted = '32 to 200 random characters without spaces'
    expect(problemsOf({ NETWORK: 'good', PIN_PEPPER: 'too short' })).toEqual([
      { field: 'PIN_PEPPER', found: '9 characters', wanted },
    ])
  })

  it('knows its address from PUBLIC_URL without its path, else from where it listens', () => {
    writeNetwork('good', networkFile)
    const addressOf = (env: Record<string, string>) => {
      const { origin, domain, publicOrigin } = readConfig({ NETWORK: 'good', ...env }, dir)
      return [origin, domain, publicOrigin]
    }
    expect(addressOf({ PUBLIC_URL: 'https://Board.example:443/prices/' })).toEqual([
      'https://board.example',
      'board.example',
      'https://board.example',
    ])
    expect(addressOf({ PUBLIC_URL: 'http://board.example:8080' })).toEqual([
      'http://board.example:8080',
      'board.example:8080',
      'http://board.example:8080',
    ])
    expect(addressOf({ HOST: '::1', PORT: '4000' })).toEqual(['http://[::1]:4000', '[::1]:4000', undefined])
  })

  it('wants the address that visitors use when others than this machine can come', () => {
    writeNetwork('good', networkFile)
    const wanted = 'the address that visitors use, such as https://board.example'
    for (const host of ['0.0.0.0', '::', '192.168.1.2', 'board.internal'])
      expect(problemsOf({ NETWORK: 'good', HOST: host })).toEqual([
        { field: 'PUBLIC_URL', found: `nothing, with HOST "${host}"`, wanted },
      ])
    expect(problemsOf({ NETWORK: 'good', PROXIES: '1' })).toEqual([
      { field: 'PUBLIC_URL', found: 'nothing, with PROXIES 1', wanted },
    ])
    const named = { NETWORK: 'good', HOST: '0.0.0.0', PROXIES: '1', PUBLIC_URL: 'http://192.168.1.2:3000' }
    expect(readConfig(named, dir).domain).toBe('192.168.1.2:3000')
    for (const host of ['127.0.0.1', '::1', 'localhost'])
      expect(readConfig({ NETWORK: 'good', HOST: host }, dir).publicOrigin).toBe(undefined)
  })

  it('wants a token for the metrics that cannot be guessed, and does not repeat it', () => {
    writeNetwork('good', networkFile)
    expect(problemsOf({ NETWORK: 'good', METRICS_TOKEN: 'hunter2' })).toEqual([
      { field: 'METRICS_TOKEN', found: '7 characters', wanted: '32 to 200 random characters without spaces' },
    ])
    const token = 'k3Jp0sTq9ZrW2mXy8VbN4LcA7HdG1FuE'
    expect(readConfig({ NETWORK: 'good', METRICS_TOKEN: token }, dir).metricsToken).toBe(token)
  })

  it.each([
    ['on a laptop', {}, true],
    ['for a browser of this machine', { PUBLIC_URL: 'http://localhost:3000' }, true],
    ['on a public site', { PUBLIC_URL: 'https://board.example' }, false],
    ['on a public site with a token', { PUBLIC_URL: 'https://board.example', METRICS_TOKEN: 't'.repeat(32) }, true],
    ['on a port of their own', { METRICS_PORT: '9464', METRICS_TOKEN: 't'.repeat(32) }, false],
  ])('has the metrics on the port of the site, %s: %s -> %s', (_where, env, wanted) => {
    writeNetwork('good', networkFile)
    expect(readConfig({ NETWORK: 'good', ...env }, dir).tellsFigures).toBe(wanted)
  })

  it('records answers of nodes where RPC_CACHE says, up to a number of GB', () => {
    writeNetwork('good', networkFile)
    const of = (env: Record<string, string>) => readConfig({ NETWORK: 'good', ...env }, dir).rpcCache
    expect(of({})).toBeUndefined()
    expect(of({ RPC_CACHE_MAX_GB: '3' })).toBeUndefined()
    expect(of({ RPC_CACHE: '/cache' })).toEqual({ folder: '/cache', bytesMax: 21_474_836_480 })
    expect(of({ RPC_CACHE: '/cache', RPC_CACHE_MAX_GB: '0.5' })).toEqual({ folder: '/cache', bytesMax: 536_870_912 })
    for (const text of ['0', '-1', 'much', '10001'])
      expect(problemsOf({ NETWORK: 'good', RPC_CACHE: '/cache', RPC_CACHE_MAX_GB: text })).toEqual([
        { field: 'RPC_CACHE_MAX_GB', found: JSON.stringify(text), wanted: 'a number over 0, up to 10000' },
      ])
  })

  it('lists every problem at once, with field, found and wanted', () => {
    const { siteName: _, ...rest } = networkFile
    const network = {
      ...rest,
      chain: { ...networkFile.chain, id: 'one', rpcUrls: ['ftp://x'] },
      dex: { ...networkFile.dex, factory: '0x12', swapUrl: 'https://dex.example/swap' },
      colour: 'red',
    }
    const assets = [{ ...listed[0], decimals: 99 }, listed[1], { name: 'Nameless' }]
    writeNetwork('bad', network, assets, ['0x12'])
    expect(
      problemsOf({
        NETWORK: 'bad',
        PORT: 'http',
        LOG_LEVEL: 'loud',
        RPC_URL: 'nowhere',
        DATABASE_URL: 'mysql://x',
        PUBLIC_URL: 'x',
        PROXIES: 'yes',
      }),
    ).toEqual(
      expect.arrayContaining([
        { field: 'networks/bad.json.siteName', found: 'nothing', wanted: 'a text of 1 to 100 characters' },
        {
          field: 'networks/bad.json.colour',
          found: 'an unknown field',
          wanted: expect.stringContaining('one of $schema, siteName, chain'),
        },
        { field: 'networks/bad.json.chain.id', found: '"one"', wanted: "the chain's id, a whole number from 1 to 2^53 - 1" },
        { field: 'networks/bad.json.chain.rpcUrls.0', found: '"ftp://x"', wanted: 'an http or https URL' },
        { field: 'networks/bad.json.dex.factory', found: '"0x12"', wanted: 'an address: 0x and 40 hexadecimal digits' },
        {
          field: 'networks/bad.json.dex.swapUrl',
          found: '"https://dex.example/swap"',
          wanted: 'an http or https URL that contains {address}',
        },
        { field: 'assets.json.0.decimals', found: '99', wanted: 'a whole number from 0 to 77' },
        { field: 'assets.json.2.symbol', found: 'nothing', wanted: 'a symbol of 1 to 1000 characters' },
        { field: 'highlighted.json.0', found: '"0x12"', wanted: 'an address: 0x and 40 hexadecimal digits' },
        { field: 'PORT', found: '"http"', wanted: 'a whole number from 0 to 65535' },
        { field: 'LOG_LEVEL', found: '"loud"', wanted: 'one of fatal, error, warn, info, debug, trace, silent' },
        { field: 'RPC_URL', found: 'a text that is not a URL', wanted: 'http or https URLs, split by commas' },
        { field: 'DATABASE_URL', found: 'a URL of another kind', wanted: 'a postgres:// URL' },
        { field: 'PUBLIC_URL', found: '"x"', wanted: 'an http or https URL' },
        {
          field: 'PROXIES',
          found: '"yes"',
          wanted: 'the number of addresses that your proxies put into X-Forwarded-For, 0 to 10',
        },
      ]),
    )
  })

  it('takes the operators from ADMIN_WALLETS, else from the network file, and none that everybody can sign with', () => {
    const [one, two, known] = [
      '0x00000000000000000000000000000000000000AA',
      '0x00000000000000000000000000000000000000bb',
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    ]
    const chain = { ...networkFile.chain, id: 61 }
    writeNetwork('real', { ...networkFile, chain, adminWallets: [one] }, listed, [])
    const adminsOf = (env: Record<string, string>) => readConfig({ NETWORK: 'real', ...env }, dir).adminWallets
    expect(adminsOf({})).toEqual([{ wallet: one.toLowerCase(), role: 'owner' }])
    expect(adminsOf({ ADMIN_WALLETS: `${two}:viewer, ${one}` })).toEqual([
      { wallet: two, role: 'viewer' },
      { wallet: one.toLowerCase(), role: 'owner' },
    ])
    const wantedList = 'addresses, separated by commas, each with :viewer, :editor, :owner or nothing after it'
    expect(problemsOf({ NETWORK: 'real', ADMIN_WALLETS: `${two},0x12,${one}:boss,${one}:owner:owner` })).toEqual([
      { field: 'ADMIN_WALLETS', found: '"0x12"', wanted: wantedList },
      { field: 'ADMIN_WALLETS', found: `"${one}:boss"`, wanted: wantedList },
      { field: 'ADMIN_WALLETS', found: `"${one}:owner:owner"`, wanted: wantedList },
    ])
    expect(problemsOf({ NETWORK: 'real', ADMIN_WALLETS: `${two},${two}:viewer` })).toEqual([
      { field: 'adminWallets', found: `"${two}" twice`, wanted: 'each wallet once' },
    ])
    const wanted = 'wallets of your own: the keys of these are public'
    expect(problemsOf({ NETWORK: 'real', ADMIN_WALLETS: known })).toEqual([
      { field: 'adminWallets', found: `"${known.toLowerCase()}"`, wanted },
    ])
    expect(readConfig({}).adminWallets).toEqual([{ wallet: known.toLowerCase(), role: 'owner' }])
  })

  it('says which file is missing or is no JSON', () => {
    write('half.json', '{"siteName":')
    expect(problemsOf({ NETWORK: 'half' }).map(({ field, found }) => [field, found.slice(0, 16)])).toEqual([
      ['networks/half.json', 'not JSON (Unexpe'],
      ['assets.json', 'no readable file'],
      ['highlighted.json', 'no readable file'],
    ])
  })

  it('does not let a network name leave its folder', () => {
    expect(problemsOf({ NETWORK: '../secret' })).toEqual([
      { field: 'NETWORK', found: '"../secret"', wanted: 'a name of lowercase letters, digits and dashes' },
    ])
  })
})
