// Detects when the npm command that started this process is stopped. On SIGTERM npm stops only the shell between it and
// this process, and this process receives no signal: the only sign is a new parent.

const CHECK_EVERY_MS = 250

/**
 * Calls `onGone` once when the npm command that started this process has ended. A process that was started in any other
 * way (systemd, setsid, a shell) may outlive its parent, so its parent is not watched.
 */
export function watchNpm(onGone, { env = process.env, readParent = () => process.ppid } = {}) {
  if (!env.npm_lifecycle_event) return
  const parent = readParent()
  const timer = setInterval(() => {
    if (readParent() === parent) return
    clearInterval(timer)
    onGone()
  }, CHECK_EVERY_MS)
  timer.unref()
}
