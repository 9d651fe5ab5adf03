import { helpdesk } from '@dubplate/contract'
import type { TestPool } from './pool.ts'

type TicketOverrides = {
  subject?: string
  details?: string
  attachments?: string[]
  priority?: number
  department?: number
}

/** A ticket of this member, opened as on the page; returns its number. */
export async function aTicket(pool: TestPool, token: string, overrides: TicketOverrides = {}): Promise<number> {
  const [{ departments }, { priorities }] = await Promise.all([
    pool.ask(helpdesk.getDepartments, {}, token),
    pool.ask(helpdesk.getPriorities, {}, token),
  ])
  const { ticket_number } = await pool.ask(
    helpdesk.submitTicket,
    {
      HelpdeskTickets: {
        department_id: departments[overrides.department ?? 0]?.id ?? 0,
        priority_id: priorities[overrides.priority ?? 1]?.id ?? 0,
        subject: overrides.subject ?? 'The download stops',
        details: overrides.details ?? '<p>It stops at 40 %.</p>',
        attachments: overrides.attachments ?? [],
      },
    },
    token,
  )
  return ticket_number
}

export type FileUpload = { name: string; bytes: Buffer; field?: string }

/** Sends files for a ticket, as a browser does. */
export async function sendFiles(pool: TestPool, token: string, files: FileUpload[]) {
  const form = new FormData()
  for (const [n, { name, bytes, field }] of files.entries()) {
    form.append(field ?? `UploadAttachmentsForm[attachments][${n}]`, new Blob([new Uint8Array(bytes)]), name)
  }
  const request = new Request('http://pool.test/', { method: 'POST', body: form })
  return pool.app.inject({
    method: 'POST',
    url: `/api/${helpdesk.uploadAttachments.path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}

/** The names to send with a ticket or a reply. */
export async function uploadAttachments(pool: TestPool, token: string, files: FileUpload[]): Promise<string[]> {
  const response = await sendFiles(pool, token, files)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data.UploadAttachmentsForm.name.attachments
}
