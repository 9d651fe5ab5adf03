import { helpdesk, support } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket } from '../../test/ticket-makers.ts'

let pool: TestPool
let server: string
beforeAll(async () => {
  pool = await openTestPool()
  server = await pool.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => pool.close())

/** Reads a stream until a text has arrived, or to its end. */
async function readUntil(url: string, text: string): Promise<boolean> {
  const closing = new AbortController()
  const response = await fetch(`${server}${url}`, { signal: closing.signal })
  let received = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += chunk
    if (received.includes(text)) {
      closing.abort()
      return true
    }
  }
  return false
}

test('sends an event to a member with the ticket open when staff answer', async () => {
  const { token } = await aMember(pool.ctx)
  const staff = await aMember(pool.ctx, { group_id: 4, staff_role: 'support', application: 'none' })
  const ticket_number = await aTicket(pool, token)
  const { watch_url } = await pool.ask(helpdesk.getTicket, { ticket_number }, token)
  const hasEvent = readUntil(watch_url, `event: ticket\ndata: {"ticket_number":${ticket_number}}`)
  await pool.ask(support.answerTicket, { ticket_number, details: 'x', after_reply_id: 0 }, staff.token)
  expect(await hasEvent).toBe(true)
})

test('sends an event to staff when the customer writes', async () => {
  const { token } = await aMember(pool.ctx)
  const staff = await aMember(pool.ctx, { group_id: 4, staff_role: 'support', application: 'none' })
  const ticket_number = await aTicket(pool, token)
  const { watch_url } = await pool.ask(support.getTicket, { ticket_number }, staff.token)
  const hasEvent = readUntil(watch_url, 'event: ticket')
  await pool.ask(helpdesk.replyToTicket, { ticket_number, details: 'x' }, token)
  expect(await hasEvent).toBe(true)
})

test('a stream ends with its session', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token)
  const { watch_url } = await pool.ask(helpdesk.getTicket, { ticket_number }, token)
  const hasEvent = readUntil(watch_url, 'event: ticket')
  await pool.ctx.sql`delete from session where customer_id = ${customer_id}`
  expect(await hasEvent).toBe(false)
})
