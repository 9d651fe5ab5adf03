import { createServer, type Socket } from 'node:net'

export type ImapServer = {
  port: number
  /** Adds an email to the mailbox, and notifies waiting clients. */
  add(raw: Buffer): void
  /** For each email in order. */
  listSeen(): boolean[]
  /** Times of sign-ins and attempts, in milliseconds. */
  listVisits(): number[]
  /** Whether the password is right. */
  acceptsLogin: boolean
  /** Closes all connections. */
  disconnectClients(): void
  close(): Promise<void>
}

type Mail = { raw: Buffer; listSeen: boolean }

/** A mailbox with the parts of IMAP (RFC 3501, RFC 2177) that a client needs to find new email. */
export async function openImapServer({ port = 0 } = {}): Promise<ImapServer> {
  const emails: Mail[] = []
  const sockets = new Set<Socket>()
  const listVisits: number[] = []
  const serverState = { acceptsLogin: true }
  const server = createServer((socket) => {
    sockets.add(socket.setEncoding('latin1'))
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n')
    let idleTag = ''
    let text = ''
    socket.on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (idleTag && /^DONE$/i.test(line)) {
          socket.write(`${idleTag} OK done\r\n`)
          idleTag = ''
          continue
        }
        const [, tag = '', command = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? []
        if (/^LOGIN$/i.test(command)) listVisits.push(performance.now())
        if (/^IDLE$/i.test(command)) idleTag = tag
        answer(socket, { tag, command: command.toUpperCase(), rest, emails, acceptsLogin: serverState.acceptsLogin })
      }
    })
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const disconnectClients = () => {
    for (const socket of sockets) socket.destroy()
  }
  return Object.assign(serverState, {
    port: (server.address() as { port: number }).port,
    add: (raw: Buffer) => {
      emails.push({ raw, listSeen: false })
      for (const socket of sockets) socket.write(`* ${emails.length} EXISTS\r\n`)
    },
    listSeen: () => emails.map(({ listSeen }) => listSeen),
    listVisits: () => listVisits,
    disconnectClients,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        disconnectClients()
      }),
  })
}

type ImapCommand = { tag: string; command: string; rest: string; emails: Mail[]; acceptsLogin: boolean }

function answer(socket: Socket, { tag, command, rest, emails, acceptsLogin }: ImapCommand): void {
  const writeLine = (line: string) => socket.write(`${line}\r\n`)
  const uid = Number(/^\d+/.exec(rest)?.[0])
  const mail = emails[uid - 1]
  switch (command) {
    case 'LOGIN':
      writeLine(
        acceptsLogin ? `${tag} OK [CAPABILITY IMAP4rev1 IDLE] in` : `${tag} NO [AUTHENTICATIONFAILED] Wrong password`,
      )
      return
    case 'IDLE':
      writeLine('+ idling')
      return
    case 'CAPABILITY':
      writeLine('* CAPABILITY IMAP4rev1 IDLE')
      break
    case 'LIST':
    case 'LSUB':
      writeLine(`* ${command} (\\HasNoChildren) "/" INBOX`)
      break
    case 'SELECT':
      for (const line of [`${emails.length} EXISTS`, '0 RECENT', 'FLAGS (\\Seen)', 'OK [UIDVALIDITY 1] ok'])
        writeLine(`* ${line}`)
      writeLine(`* OK [UIDNEXT ${emails.length + 1}] ok`)
      writeLine(`* OK [PERMANENTFLAGS (\\Seen)] ok`)
      writeLine(`${tag} OK [READ-WRITE] open`)
      return
    case 'UID SEARCH':
      writeLine(`* SEARCH ${emails.flatMap(({ listSeen }, n) => (listSeen ? [] : [n + 1])).join(' ')}`)
      break
    case 'UID FETCH':
      if (mail) fetch(socket, uid, mail, rest)
      break
    case 'UID STORE':
      if (mail) mail.listSeen = true
      break
    case 'LOGOUT':
      writeLine('* BYE')
      writeLine(`${tag} OK out`)
      socket.end()
      return
  }
  writeLine(`${tag} OK done`)
}

function fetch(socket: Socket, uid: number, { raw }: Mail, dataItems: string): void {
  const size = /RFC822\.SIZE/i.test(dataItems) ? ` RFC822.SIZE ${raw.length}` : ''
  const part = /BODY(?:\.PEEK)?\[\](?:<(\d+)\.(\d+)>)?/i.exec(dataItems)
  if (!part) {
    socket.write(`* ${uid} FETCH (UID ${uid}${size})\r\n`)
    return
  }
  const [from, maxBytes] = [Number(part[1] ?? 0), Number(part[2] ?? raw.length)]
  const bytes = raw.subarray(from, from + maxBytes)
  socket.write(`* ${uid} FETCH (UID ${uid}${size} BODY[]${part[1] ? `<${from}>` : ''} {${bytes.length}}\r\n`)
  socket.write(bytes)
  socket.write(')\r\n')
}
