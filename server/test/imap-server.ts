import { createServer, type Socket } from 'node:net'

export type ImapServer = {
  port: number
  /** Puts a mail into the mailbox, and tells whoever waits there. */
  add(raw: Buffer): void
  /** Of each mail in turn. */
  seen(): boolean[]
  /** When somebody signed in, or tried to, in milliseconds. */
  visits(): number[]
  /** Whether the password is right. */
  letIn: boolean
  /** Breaks off all connections. */
  drop(): void
  close(): Promise<void>
}

type Mail = { raw: Buffer; seen: boolean }

/** A mailbox that speaks as much IMAP (RFC 3501, RFC 2177) as a program needs that looks for new mail. */
export async function openImapServer({ port = 0 } = {}): Promise<ImapServer> {
  const mails: Mail[] = []
  const sockets = new Set<Socket>()
  const visits: number[] = []
  const self = { letIn: true }
  const server = createServer((socket) => {
    sockets.add(socket.setEncoding('latin1'))
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n')
    let idling = ''
    let text = ''
    socket.on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (idling && /^DONE$/i.test(line)) {
          socket.write(`${idling} OK done\r\n`)
          idling = ''
          continue
        }
        const [, tag = '', command = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? []
        if (/^LOGIN$/i.test(command)) visits.push(performance.now())
        if (/^IDLE$/i.test(command)) idling = tag
        answer(socket, { tag, command: command.toUpperCase(), rest, mails, letIn: self.letIn })
      }
    })
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return Object.assign(self, {
    port: (server.address() as { port: number }).port,
    add: (raw: Buffer) => {
      mails.push({ raw, seen: false })
      for (const socket of sockets) socket.write(`* ${mails.length} EXISTS\r\n`)
    },
    seen: () => mails.map(({ seen }) => seen),
    visits: () => visits,
    drop,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        drop()
      }),
  })
}

type Said = { tag: string; command: string; rest: string; mails: Mail[]; letIn: boolean }

function answer(socket: Socket, { tag, command, rest, mails, letIn }: Said): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  const uid = Number(/^\d+/.exec(rest)?.[0])
  const mail = mails[uid - 1]
  switch (command) {
    case 'LOGIN':
      say(letIn ? `${tag} OK [CAPABILITY IMAP4rev1 IDLE] in` : `${tag} NO [AUTHENTICATIONFAILED] Wrong password`)
      return
    case 'IDLE':
      say('+ idling')
      return
    case 'CAPABILITY':
      say('* CAPABILITY IMAP4rev1 IDLE')
      break
    case 'LIST':
    case 'LSUB':
      say(`* ${command} (\\HasNoChildren) "/" INBOX`)
      break
    case 'SELECT':
      for (const line of [`${mails.length} EXISTS`, '0 RECENT', 'FLAGS (\\Seen)', 'OK [UIDVALIDITY 1] ok'])
        say(`* ${line}`)
      say(`* OK [UIDNEXT ${mails.length + 1}] ok`)
      say(`* OK [PERMANENTFLAGS (\\Seen)] ok`)
      say(`${tag} OK [READ-WRITE] open`)
      return
    case 'UID SEARCH':
      say(`* SEARCH ${mails.flatMap(({ seen }, n) => (seen ? [] : [n + 1])).join(' ')}`)
      break
    case 'UID FETCH':
      if (mail) fetch(socket, uid, mail, rest)
      break
    case 'UID STORE':
      if (mail) mail.seen = true
      break
    case 'LOGOUT':
      say('* BYE')
      say(`${tag} OK out`)
      socket.end()
      return
  }
  say(`${tag} OK done`)
}

function fetch(socket: Socket, uid: number, { raw }: Mail, wish: string): void {
  const size = /RFC822\.SIZE/i.test(wish) ? ` RFC822.SIZE ${raw.length}` : ''
  const part = /BODY(?:\.PEEK)?\[\](?:<(\d+)\.(\d+)>)?/i.exec(wish)
  if (!part) {
    socket.write(`* ${uid} FETCH (UID ${uid}${size})\r\n`)
    return
  }
  const [from, most] = [Number(part[1] ?? 0), Number(part[2] ?? raw.length)]
  const bytes = raw.subarray(from, from + most)
  socket.write(`* ${uid} FETCH (UID ${uid}${size} BODY[]${part[1] ? `<${from}>` : ''} {${bytes.length}}\r\n`)
  socket.write(bytes)
  socket.write(')\r\n')
}
