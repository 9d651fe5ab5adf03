/** An uploaded file whose message has not been sent yet; the server knows it by `name`. */
export type SentFile = { name: string; filename: string; bytes: number }

/** A message that has not been sent yet; `details` is HTML. */
export type Message = { details: string; attachments: SentFile[] }

export type NewTicket = Message & { department_id: string; priority_id: string; subject: string }

export const NO_MESSAGE: Message = { details: '', attachments: [] }
export const NO_TICKET: NewTicket = { ...NO_MESSAGE, department_id: '', priority_id: '', subject: '' }

const isSentFile = (value: unknown): value is SentFile => {
  const { name, filename, bytes } = (value ?? {}) as Partial<SentFile>
  return typeof name === 'string' && typeof filename === 'string' && typeof bytes === 'number'
}

/** Restores a message from its draft; invalid parts of a damaged draft are ignored. */
export function parseDraft<M extends Message>(draftText: string, empty: M): M {
  const parsed = parse(draftText)
  const texts = Object.entries(parsed).filter(([name, value]) => name in empty && typeof value === 'string')
  const files = Array.isArray(parsed.attachments) ? parsed.attachments.filter(isSentFile) : []
  return { ...empty, ...Object.fromEntries(texts), attachments: files }
}

function parse(text: string): { attachments?: unknown } {
  try {
    const parsed: unknown = JSON.parse(text || '{}')
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** A message as it is stored; '' if it is empty. */
export function serialiseDraft(message: Message): string {
  const isEmpty = Object.values(message).every((value) => value.length === 0)
  return isEmpty ? '' : JSON.stringify(message)
}
