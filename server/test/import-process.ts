import { importFolder } from '../src/imports/folder-import.ts'
import { readConfig } from '../src/platform/config.ts'
import { connect } from '../src/platform/db.ts'
import { createLog } from '../src/platform/log.ts'
import { createAppContext } from '../src/process.ts'
import { inProcessAnalyser } from './upload-makers.ts'

/** An import in a separate process, so that a test can kill it. Writes a line for each finished file. */
const [socketDir = '', database = '', dataDir = '', folder = ''] = process.argv.slice(2)

const alive = setInterval(() => {}, 1000)
const sql = connect({ socketDir, database })
const ctx = await createAppContext(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }), createLog('silent'), { sql })
await importFolder(ctx, {
  ...{ folder, section: 1, jobs: 2, childPath: '', analyser: inProcessAnalyser, signal: new AbortController().signal },
  onDone: (file) => process.stdout.write(`${file.path}\n`),
})
clearInterval(alive)
process.exit(0)
