import type { World } from '../world.ts'
import { watchMailbox } from './inbound-imap.ts'
import { listenForMail } from './inbound-smtp.ts'

/** Opens the doors for answers by mail that the configuration names; the webhook is one of the web process. */
export async function openMailDoors(world: World): Promise<{ stop(): Promise<void> }> {
  const { smtp, imap } = world.config.inbound ?? {}
  const listener = smtp && (await listenForMail(world, smtp))
  const mailbox = imap && watchMailbox(world, imap)
  return { stop: async () => void (await Promise.all([listener?.stop(), mailbox?.stop()])) }
}
