import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { toTrendingOptions } from './networkFile.ts'
import { createConfigFiles } from './testing/configFiles.ts'
import { listed, networkFile } from './testing/market.ts'

const { dir, writeNetwork, problemsOf } = createConfigFiles()

describe('the files of a network', () => {
  it('takes a token list in an object that names its schema, and says what is wrong in there', () => {
    writeNetwork('good', { ...networkFile, $schema: 'a.json' }, { $schema: 'b.json', tokens: listed })
    expect(readConfig({ NETWORK: 'good' }, dir).tokenList.tokens.length).toBe(listed.length)
    writeNetwork('bad', networkFile, { tokens: [{ ...listed[0], decimals: 255 }], token: [] })
    expect(problemsOf({ NETWORK: 'bad' })).toEqual([
      { field: 'assets.json.token', found: 'an unknown field', wanted: 'one of $schema, tokens' },
      { field: 'assets.json.tokens.0.decimals', found: '255', wanted: 'a whole number from 0 to 77' },
    ])
    writeNetwork('bad', networkFile, { $schema: 'b.json' })
    expect(problemsOf({ NETWORK: 'bad' })).toEqual([
      { field: 'assets.json.tokens', found: 'nothing', wanted: 'a list of at most 50000 tokens' },
    ])
  })

  it('lets stable coins take part in trending unless the network file leaves them out', () => {
    const withoutOf = (trending: object) => {
      writeNetwork('good', { ...networkFile, ...trending })
      return [...toTrendingOptions(readConfig({ NETWORK: 'good' }, dir).network).without]
    }
    expect(withoutOf({})).toEqual([])
    expect(withoutOf({ trending: {} })).toEqual([])
    expect(withoutOf({ trending: { withoutStables: true } })).toEqual([networkFile.usdc.address])
    writeNetwork('bad', { ...networkFile, trending: { withoutStables: 'yes' } })
    expect(problemsOf({ NETWORK: 'bad' })).toEqual([
      { field: expect.stringContaining('trending.withoutStables'), found: '"yes"', wanted: 'true or false' },
    ])
  })

  it('takes a list of the web whatever the index has', () => {
    const tokenList = { url: 'https://lists.example/tokens.json' }
    for (const pools of ['all', 'listed'] as const) {
      writeNetwork('web', { ...networkFile, tokenList, index: { pools } })
      expect(problemsOf({ NETWORK: 'web' })).toEqual([])
    }
  })

  it('takes a retention of whole months, and refuses one that the site would promise more than', () => {
    const { index } = networkFile
    const of = (retention: unknown, changes: object = {}) => {
      writeNetwork('kept', { ...networkFile, index: { ...index, pools: 'all' }, retention, ...changes })
      return problemsOf({ NETWORK: 'kept' })
    }
    expect(of({ swapMonths: 2 })).toEqual([])
    expect(of({ swapMonths: 6, hourMonths: 24 })).toEqual([])
    const wanted = 'whole months from 2 to 1200: receipts go back 30 days and compare with the week before'
    expect(of({ swapMonths: 1 })).toEqual([{ field: 'networks/kept.json.retention.swapMonths', found: '1', wanted }])
    expect(of({ swapMonths: 2.5 })).toEqual([{ field: 'networks/kept.json.retention.swapMonths', found: '2.5', wanted }])
    expect(of({ swapMonths: 2, hourMonths: 0 })).toEqual([
      { field: 'networks/kept.json.retention.hourMonths', found: '0', wanted },
    ])
    expect(of({ hourMonths: 4 })[0]?.field).toBe('networks/kept.json.retention.swapMonths')
    expect(of({ swapMonths: 6, hourMonths: 5 })).toEqual([
      { field: 'retention.hourMonths', found: '5', wanted: '6 or more, as swapMonths says' },
    ])
    expect(of({ swapMonths: 6 }, { index: { ...index, pools: 'listed' } })).toEqual([
      { field: 'retention', found: 'with index.pools "listed"', wanted: 'retention only with index.pools "all"' },
    ])
  })

  it('refuses "rpc": "off" where browsers would have no way to the node', () => {
    writeNetwork('shut', { ...networkFile, rpc: 'off' })
    expect(problemsOf({ NETWORK: 'shut' })).toEqual([
      { field: 'rpc', found: '"off"', wanted: '"off" only with a chain.publicRpcUrl, which browsers call instead' },
    ])
    writeNetwork('open', { ...networkFile, rpc: 'off', chain: { ...networkFile.chain, publicRpcUrl: 'https://node.example' } })
    expect(problemsOf({ NETWORK: 'open' })).toEqual([])
  })

  it('lists them all even when one file has many: every broken token, and a duplicate beside them', () => {
    const broken = Array.from({ length: 30 }, (_, i) => ({
      ...listed[0],
      address: `0x${String(i).padStart(40, '1')}`,
      decimals: 99,
    }))
    writeNetwork(
      'many',
      { ...networkFile, brand: { accentDark: 'red', accentLight: '#000000' } },
      [...broken, broken[0]],
      ['no address'],
    )
    const fields = problemsOf({ NETWORK: 'many' }).map(({ field }) => field)
    expect(fields.filter((field) => /^assets\.json\.\d+\.decimals$/.test(field))).toHaveLength(31)
    expect(fields).toEqual(
      expect.arrayContaining(['networks/many.json.brand.accentDark', 'assets.json.30.address', 'highlighted.json.0']),
    )
  })

  it('finds tokens listed twice, and featured ones that are not listed', () => {
    writeNetwork(
      'twice',
      networkFile,
      [...listed, { ...listed[0], address: listed[0]?.address.toUpperCase().replace('0X', '0x') }],
      [`0x${'99'.repeat(20)}`],
    )
    expect(problemsOf({ NETWORK: 'twice' })).toEqual([
      { field: 'assets.json.6.address', found: `"0x${'10'.repeat(20)}"`, wanted: 'an address that entry 0 does not have' },
      { field: 'highlighted.json.0', found: `"0x${'99'.repeat(20)}"`, wanted: 'the address of a token in assets.json' },
    ])
  })

  it('finds ways to ask a staking contract where nothing is asked that way', () => {
    const [first, second, third, fourth, fifth] = listed as readonly [object, object, object, object, object]
    const stakingContract = `0x${'c2'.repeat(20)}`
    writeNetwork(
      'stakes',
      networkFile,
      [
        { ...first, stakingAdapter: 'userInfo' },
        { ...second, stakingContract, stakingPool: 1 },
        { ...third, stakingContract, stakingAdapter: 'shares' },
        { ...fourth, stakingContract, stakingAdapter: 'userInfo', stakingPool: 1.5 },
        { ...fifth, stakingContract, stakingAdapter: 'userInfo', stakingPool: 1 },
      ],
      [],
    )
    expect(problemsOf({ NETWORK: 'stakes' })).toEqual([
      {
        field: 'assets.json.2.stakingAdapter',
        found: '"shares"',
        wanted: 'one of balanceOf, stakedBalance, userInfo',
      },
      { field: 'assets.json.3.stakingPool', found: '1.5', wanted: "a pool's number, a whole number from 0 to 2^53 - 1" },
      { field: 'assets.json.0.stakingAdapter', found: '"userInfo"', wanted: 'none without a stakingContract' },
      { field: 'assets.json.1.stakingPool', found: '1', wanted: 'none without "stakingAdapter": "userInfo"' },
    ])
  })

  it('refuses wallets with public keys on any chain but a local test chain', () => {
    const demoWallets = [{ name: 'Demo', privateKey: `0x${'59'.repeat(32)}` }]
    writeNetwork('test', { ...networkFile, demoWallets, chain: { ...networkFile.chain, id: 31_337 } }, listed, [])
    expect(problemsOf({ NETWORK: 'test' })).toEqual([])
    writeNetwork('real', { ...networkFile, demoWallets, chain: { ...networkFile.chain, id: 61 } }, listed, [])
    expect(problemsOf({ NETWORK: 'real' })).toEqual([
      { field: 'demoWallets', found: '1 wallets', wanted: 'none, for a chain.id other than 1337 or 31337' },
    ])
  })

  it("takes WalletConnect's project id, and a relay that browsers can reach and a policy can name", () => {
    const problemsWith = (walletConnect: object) => {
      writeNetwork('test', { ...networkFile, walletConnect }, listed, [])
      return problemsOf({ NETWORK: 'test' })
    }
    const projectId = 'c4f79cc821944d9680842e34466bfb1d'
    for (const relayUrl of ['wss://relay.example', 'wss://relay.example:8443/v2', 'ws://127.0.0.1:5555', 'ws://localhost'])
      expect(problemsWith({ projectId, relayUrl })).toEqual([])
    expect(problemsWith({ projectId })).toEqual([])
    expect(problemsWith({ projectId: 'YOUR_PROJECT_ID' })).toEqual([
      {
        field: 'networks/test.json.walletConnect.projectId',
        found: '"YOUR_PROJECT_ID"',
        wanted: 'the project id that the relay gave you: 32 hexadecimal digits',
      },
    ])
    const wanted = 'a wss URL without a query, or a ws URL of localhost or 127.0.0.1'
    for (const relayUrl of [
      'https://relay.example',
      'ws://relay.example',
      'wss://relay.example?key=1',
      'wss://a b',
      "wss://a; script-src 'unsafe-inline'",
      'wss://user:word@relay.example',
      'wss://*',
    ])
      expect(problemsWith({ projectId, relayUrl })).toEqual([
        { field: 'networks/test.json.walletConnect.relayUrl', found: JSON.stringify(relayUrl), wanted },
      ])
    expect(problemsWith({ projectId, relayUrl: 'wss://relay.example:99999' })).toEqual([
      { field: 'walletConnect.relayUrl', found: '"wss://relay.example:99999"', wanted: 'a URL' },
    ])
  })

  it('takes whom to write to for a key, or nobody', () => {
    const contactOf = (contact: object) => {
      writeNetwork('real', { ...networkFile, chain: { ...networkFile.chain, id: 61 }, contact }, listed, [])
      return problemsOf({ NETWORK: 'real' })
    }
    expect(contactOf({})).toEqual([])
    expect(contactOf({ email: 'api@ember.example', chatUrl: 'https://chat.ember.example' })).toEqual([])
    expect(contactOf({ email: 'api' })).toEqual([
      { field: 'networks/real.json.contact.email', found: '"api"', wanted: 'an e-mail address' },
    ])
    expect(contactOf({ chatUrl: 'javascript:alert(1)' })).toEqual([
      { field: 'networks/real.json.contact.chatUrl', found: '"javascript:alert(1)"', wanted: 'an http or https URL' },
    ])
  })

  it('takes roles of operators from the network file, and a second owner for deletions only where there is one', () => {
    const [one, two] = ['0x00000000000000000000000000000000000000aa', '0x00000000000000000000000000000000000000bb']
    const chain = { ...networkFile.chain, id: 61 }
    const write = (adminWallets: unknown, twoOwnersDelete?: boolean) =>
      writeNetwork('roles', { ...networkFile, chain, adminWallets, twoOwnersDelete }, listed, [])
    write([one, { wallet: two, role: 'editor' }])
    expect(readConfig({ NETWORK: 'roles' }, dir)).toMatchObject({
      adminWallets: [
        { wallet: one, role: 'owner' },
        { wallet: two, role: 'editor' },
      ],
      twoOwnersDelete: false,
    })
    write([one, { wallet: two, role: 'editor' }], true)
    expect(problemsOf({ NETWORK: 'roles' })).toEqual([
      { field: 'twoOwnersDelete', found: 'true with 1 owner', wanted: 'two owners or more in adminWallets' },
    ])
    write([one, { wallet: two, role: 'owner' }], true)
    expect(readConfig({ NETWORK: 'roles' }, dir).twoOwnersDelete).toBe(true)
    write([one, { wallet: two, role: 'king' }])
    expect(problemsOf({ NETWORK: 'roles' })[0]?.field).toMatch(/^networks\/roles\.json\.adminWallets\.1/)
  })
})
