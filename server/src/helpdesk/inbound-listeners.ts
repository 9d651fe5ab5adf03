import type { AppContext } from '../app-context.ts'

/** Starts the configured receivers of replies by email. The webhook belongs to the web process. */
export async function startInboundMail(ctx: AppContext): Promise<{ stop(): Promise<void> }> {
  const { smtp, imap } = ctx.config.inbound ?? {}
  // Their libraries need several MB, and few pools use them.
  const listener = smtp && (await (await import('./inbound-smtp.ts')).listenForMail(ctx, smtp))
  const mailbox = imap && (await import('./inbound-imap.ts')).watchMailbox(ctx, imap)
  return { stop: async () => void (await Promise.all([listener?.stop(), mailbox?.stop()])) }
}
