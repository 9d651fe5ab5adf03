// `Usage: npm run pool -- COMMAND`: the operator's command line. Relative paths start from the folder in which the
// command was typed.
import { spawn } from 'node:child_process'
import { programIn } from './releases.mjs'
import { checkNode, prepareProgram } from './run.mjs'

checkNode()
const program = programIn(prepareProgram(), 'pool')
const pool = spawn(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => pool.kill(signal))
pool.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
