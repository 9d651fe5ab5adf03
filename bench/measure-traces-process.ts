import { measureTraces } from './measure-traces.ts'

process.stdout.write(JSON.stringify(await measureTraces(process.argv[2] ?? '')), () => process.exit(0))
