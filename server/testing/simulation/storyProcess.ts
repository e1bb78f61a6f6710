// Plays a batch in a process of its own, where nothing else needs the clock. Options as JSON come in, the report as JSON goes out.
import { type BatchOptions, runBatch } from './runBatch.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as BatchOptions
process.stdout.write(JSON.stringify(await runBatch(options)))
