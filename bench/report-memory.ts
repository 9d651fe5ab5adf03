/** Loaded before a server that is measured: answers each message of its parent process with `process.memoryUsage()`. */
process.on('message', () => process.send?.(process.memoryUsage()))
process.channel?.unref()
