import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A minimal Node server: answers every request with the bytes of one file, either from memory (`same`) or piped from
 * disk (`pipe`). Arguments: the mode and the file. Sends its port to the parent process.
 */
const [responseMode, file = ''] = process.argv.slice(2)
const length = statSync(file).size
const kept = responseMode === 'same' ? readFileSync(file) : Buffer.alloc(0)

function handleRequest(request: IncomingMessage, response: ServerResponse): void {
  request.on('data', () => {})
  request.on('end', () => {
    if (responseMode === 'same') {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': kept.length })
      response.end(kept)
      return
    }
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': length })
    createReadStream(file).pipe(response)
  })
}

const server = createServer(handleRequest).listen(0, '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
)
