// `npm start`: installs, builds, and starts the pool. A fresh clone needs only Node.
import { spawn } from 'node:child_process'
import { isatty } from 'node:tty'
import { memoryEnvironment, nodeFlags } from './node-flags.mjs'
import { watchNpm } from './parent.mjs'
import { areStartsHeld, home, isUpgrading, programIn, registerSupervisor } from './releases.mjs'
import { checkNode, prepareProgram } from './run.mjs'
import { supervise } from './supervise.mjs'

checkNode()
let isStopping = false
let hasReceivedHangup = false
// Watched before the build, which takes minutes: npm may be stopped during that time.
watchNpm(() => {
  if (!isStopping && !hasReceivedHangup) stop('SIGTERM')
})

let folder
const reportServer = registerSupervisor()

function start(mayHaveChanged) {
  if (mayHaveChanged) folder = prepareProgram()
  const server = spawn(process.execPath, [...nodeFlags, programIn(folder, 'start')], {
    cwd: home,
    stdio: 'inherit',
    env: { ...memoryEnvironment, ...process.env },
  })
  reportServer(server)
  return server
}

const server = supervise(start, { isHeld: areStartsHeld, isUpgrading, onEnd: () => reportServer() })

function stop(signal) {
  isStopping = true
  server.stop(signal)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))

// Closing the terminal stops the pool, unless nohup has redirected all three streams. npm itself ends in both cases.
const isInTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
process.on('SIGHUP', () => {
  hasReceivedHangup = true
  if (isInTerminal) stop('SIGTERM')
})
process.on('SIGUSR2', () => server.replace())
process.exit(await server.ended)
