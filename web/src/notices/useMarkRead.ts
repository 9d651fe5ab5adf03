import { notices } from '@dubplate/contract'
import { changeReplies, useApiMutation } from '../platform/useApiMutation.ts'
import { markReadInReply } from './markReadInReply.ts'

/** Marks notifications as read, on screen at once and on the server; all of them without ids. */
export const useMarkRead = (options: { errorTitle?: string } = {}) =>
  useApiMutation(notices.readNotices, {
    ...options,
    optimistic: ({ notification_ids }) =>
      changeReplies(notices.getNotices, (reply) => markReadInReply(reply, notification_ids?.map(Number))),
    invalidates: [notices.countUnread],
  }).mutate
