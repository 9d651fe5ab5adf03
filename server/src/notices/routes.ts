import { notices } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { choicesOf, saveChoices } from './choices.ts'
import { countUnread, listNotices, readNotices } from './notices.ts'

export const noticeRoutes = ({ sql }: World): Call<Asker>[] => [
  on(notices.getNotices, async ({ input, member }) => listNotices(sql, member.customer_id, input.page)),
  on(notices.countUnread, async ({ member }) => ({ unread: await countUnread(sql, member.customer_id) })),
  on(notices.readNotices, async ({ input, member }) => ({
    unread: await readNotices(sql, member.customer_id, input.notice_ids),
  })),
  on(notices.getChoices, async ({ member }) => ({ by_mail: await choicesOf(sql, member.customer_id) })),
  on(notices.saveChoices, async ({ input, member }) => ({
    by_mail: await saveChoices(sql, member.customer_id, input.by_mail),
  })),
]
