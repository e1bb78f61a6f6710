// `npm run check`: what can be checked without a server, all at once. It prints what failed, and nothing when all is well.
import { checks } from './suite/parts.ts'
import { runChecks } from './suite/runChecks.ts'

const failed = await runChecks(checks)
for (const { name, output } of failed) console.error(`== ${name}\n${output.trimEnd()}\n`)
if (failed.length > 0) process.exitCode = 1
