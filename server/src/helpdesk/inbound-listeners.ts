import type { AppContext } from '../app-context.ts'
import { watchMailbox } from './inbound-imap.ts'
import { listenForMail } from './inbound-smtp.ts'

/** Starts the configured receivers of replies by email. The webhook belongs to the web process. */
export async function startInboundMail(ctx: AppContext): Promise<{ stop(): Promise<void> }> {
  const { smtp, imap } = ctx.config.inbound ?? {}
  const listener = smtp && (await listenForMail(ctx, smtp))
  const mailbox = imap && watchMailbox(ctx, imap)
  return { stop: async () => void (await Promise.all([listener?.stop(), mailbox?.stop()])) }
}
