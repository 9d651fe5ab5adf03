import { connect, Socket } from 'node:net'

/** A server to connect to: a Unix socket, or hosts that are tried in order. */
type Target = { path?: string | false; host: string[]; port: number[] }

/**
 * The sockets of this process to one database. A database that hangs (a stopped process, a network that drops packets)
 * sends nothing on any of them; its own timeouts do not help then, and the drivers would wait forever.
 */
export class DatabaseSockets {
  /** Each open socket, with the bytes it had received at the last check. */
  private readonly sockets = new Map<Socket, number>()
  private attempts = 0

  /** Returns a connecting socket for postgres.js, which calls this once for each attempt. */
  readonly open = (target: Target): Socket => {
    if (target.path) return this.watch(connect(target.path))
    const turn = this.attempts++ % target.host.length
    const [host, port] = [target.host[turn] ?? 'localhost', target.port[turn] ?? 5432]
    // The driver reads both from the socket, for TLS and for its messages.
    return this.watch(Object.assign(connect(port, host), { host, port }))
  }

  /** Returns an unconnected socket for node-postgres, which connects it. */
  readonly create = (): Socket => this.watch(new Socket())

  /** Returns whether anything arrived on any socket since the last call. */
  hasReceived(): boolean {
    let hasReceived = false
    for (const [socket, bytes] of this.sockets) {
      if (socket.bytesRead !== bytes) hasReceived = true
      this.sockets.set(socket, socket.bytesRead)
    }
    this.removeClosed()
    return hasReceived
  }

  /** Closes every socket, so that everything waiting for a response fails now. */
  closeAll(): void {
    for (const socket of this.sockets.keys()) socket.destroy()
    this.removeClosed()
  }

  private watch(socket: Socket): Socket {
    this.sockets.set(socket, 0)
    return socket
  }

  /**
   * Sockets are removed here and not by a listener, because postgres.js removes all listeners of a socket that it wraps
   * for TLS.
   */
  private removeClosed(): void {
    for (const socket of this.sockets.keys()) if (socket.destroyed) this.sockets.delete(socket)
  }
}
