// Plays stories in a process of its own, where nothing else needs the clock. The order as JSON comes in, the report as JSON goes out.
import { runBatch } from './runBatch.ts'
import type { StoryOrder } from './runInProcess.ts'
import { sweepCrashes } from './sweepCrashes.ts'

const order = JSON.parse(process.argv[2] ?? '{}') as StoryOrder
process.stdout.write(JSON.stringify('batch' in order ? await runBatch(order.batch) : await sweepCrashes(order.sweep)))
