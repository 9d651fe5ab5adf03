// `npm start`: installs, builds, and opens the pool. On a fresh clone it needs Node and nothing else.
import { spawn } from 'node:child_process'
import { areStartsHeld, home, isUpgrading, programIn, registerSupervisor } from './releases.mjs'
import { checkNode, prepareProgram } from './run.mjs'
import { supervise } from './supervise.mjs'

checkNode()
let folder
const reportServer = registerSupervisor()

function start(mayHaveChanged) {
  if (mayHaveChanged) folder = prepareProgram()
  const server = spawn(process.execPath, ['--enable-source-maps', programIn(folder, 'start')], {
    cwd: home,
    stdio: 'inherit',
  })
  reportServer(server)
  return server
}

const server = supervise(start, { isHeld: areStartsHeld, isUpgrading, onEnd: () => reportServer() })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.stop(signal))
process.on('SIGUSR2', () => server.replace())
process.exit(await server.ended)
