import dgram from 'node:dgram'
import dns from 'node:dns'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

function reject(what: string): () => never {
  return () => {
    throw Object.assign(new Error(`${what} is not available in the audio analysis process.`), { code: 'ERR_CONFINED' })
  }
}

/** Replaces the functions of an object that exist with one that throws. */
function disableFunctions(from: object, names: string[], what: string): void {
  for (const name of names) if (name in from) Object.defineProperty(from, name, { value: reject(what) })
}

const LOOKUPS = Object.keys(dns).filter((name) => /^(lookup|resolve|reverse)/.test(name))
const SOCKETS = ['connect', 'bind', 'send', 'addMembership']

/** Declared here because Node's types do not include it. */
const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: object }

/**
 * Blocks system access of this process permanently: connections, servers, datagrams, DNS, requests and signals to other
 * processes. Node's permission model covers the network only from version 25 on. Call it before any part of a file is
 * read.
 */
export function blockSystemAccess(): void {
  disableFunctions(net, ['connect', 'createConnection', 'createServer'], 'Network access')
  disableFunctions(net.Socket.prototype, ['connect'], 'Network access')
  disableFunctions(net.Server.prototype, ['listen'], 'Network access')
  disableFunctions(tls, ['connect', 'createServer'], 'Network access')
  disableFunctions(dgram, ['createSocket'], 'Network access')
  disableFunctions(dgram.Socket.prototype, SOCKETS, 'Network access')
  for (const names of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    disableFunctions(names, LOOKUPS, 'Network access')
  }
  for (const requests of [http, https]) disableFunctions(requests, ['request', 'get', 'createServer'], 'Network access')
  disableFunctions(http2, ['connect', 'createServer', 'createSecureServer'], 'Network access')
  // Deleted, not replaced: without fetch, the MP3 encoder uses its embedded WebAssembly instead of a data: URL.
  for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name)
  for (const name of ['compileStreaming', 'instantiateStreaming']) Reflect.deleteProperty(webAssembly, name)
  disableFunctions(process, ['kill', '_kill', '_debugProcess', 'binding', '_linkedBinding', 'dlopen'], 'This API')
  syncBuiltinESMExports()
}
