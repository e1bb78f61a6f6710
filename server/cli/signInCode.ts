// `npm run sign-in-code -- <username>`: for an owner who comes from a new browser and a new network while somebody attacks the
// account. The PIN is wanted all the same.

import { makeCode } from '../accounts/makeCode.ts'
import { findUsername } from '../accounts/parseUsername.ts'
import { readConfigOrExit } from '../readConfigOrExit.ts'
import { openVisitorStore } from '../store/openStore.ts'
import { findUser } from '../store/users.ts'
import { exitWithFailure } from './runTool.ts'

const config = readConfigOrExit()
const name = findUsername(process.argv[2])
if (!name) {
  console.error('Usage: npm run sign-in-code -- <username>')
  process.exit(2)
}
const store = await openVisitorStore(config.store).catch(exitWithFailure)
try {
  const user = await findUser(store.read, name.key)
  if (user) {
    const nowSeconds = () => Math.floor(Date.now() / 1000)
    const { code, expiresAtSeconds } = await makeCode({ store, nowSeconds }, user)
    const until = new Date(expiresAtSeconds * 1000).toISOString().slice(11, 16)
    console.log(`Until ${until} UTC, ${user.username} can sign in with the PIN and this code: ${code}`)
  } else {
    console.error(`There is no user ${name.username} on ${config.networkName}`)
    process.exitCode = 1
  }
} finally {
  await store.close()
}
