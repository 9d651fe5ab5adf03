import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { projectRoot } from '../src/platform/project-root.ts'
import { freePort } from './free-port.ts'

const folder = path.join(projectRoot, '..', 'shared', 'payments')

/** Why tests against the providers' published documents are skipped; undefined if the documents are available. */
export const skipReason = existsSync(folder)
  ? undefined
  : `The providers' OpenAPI documents are not in ${path.relative(projectRoot, folder)} beside this checkout.`

/** A request to a provider. */
export type RecordedRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  status: number
}

export type TestProvider = {
  url: string
  /** Every request, with the response status. */
  requests: RecordedRequest[]
  close(): Promise<void>
}

type Options = {
  /** Parameters newer than the document; they are removed before the request is checked. */
  newer?: string[]
  /** Parameters the document requires and the provider no longer does, for each endpoint: `POST /there`. */
  older?: Record<string, Record<string, string>>
  /** Changes an example from the document for a test. */
  amend?: (call: string, reply: unknown) => unknown
}

/**
 * A server that responds as Stripe or PayPal does, based on its own OpenAPI document: an endpoint or parameter that is
 * not in the document gets a 400 or 404.
 */
export async function startProvider(name: 'stripe' | 'paypal', options: Options = {}): Promise<TestProvider> {
  const port = await freePort()
  const program = spawn(process.execPath, [path.join(folder, name, 'mini-mock.mjs'), `${port}`], {
    // The folder in which its packages are found.
    cwd: projectRoot,
    stdio: 'inherit',
  })
  await listening(program, port)
  const requests: RecordedRequest[] = []
  const proxyServer = await startServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await text(request)
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': headers['content-type'] ?? 'application/json',
      },
      ...(method === 'POST'
        ? { body: translateForm(body, options.newer ?? [], options.older?.[`${method} ${url}`]) }
        : {}),
    })
    const reply = await answer.text()
    const needsAmending = options.amend && answer.ok && reply !== ''
    requests.push({ method, path: url, headers, body, status: answer.status })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(needsAmending ? JSON.stringify(options.amend?.(`${method} ${url}`, JSON.parse(reply))) : reply)
  })
  return {
    url: proxyServer.url,
    requests,
    close: async () => {
      await proxyServer.close()
      program.kill()
    },
  }
}

/** A form without some of its parameters, and with defaults for missing ones. */
function translateForm(form: string, newer: string[], older: Record<string, string> = {}): string {
  if (newer.length === 0) return form
  const isKnown = ([parameter]: [string, string]) =>
    !newer.some((one) => parameter === one || parameter.startsWith(`${one}[`))
  const known = [...new URLSearchParams(form)].filter(isKnown)
  return new URLSearchParams({ ...older, ...Object.fromEntries(known) }).toString()
}

/** A server that belongs to the test. */
export async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

async function listening(program: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline && program.exitCode === null) {
    const isThere = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The provider’s server did not start.')
}
