import { type InputOf, openings, site } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { toast } from '../../ui/toast.ts'
import * as texts from './texts.ts'

const renew = () =>
  Promise.all(
    [openings.getOpenings, site.getOpenings].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

/** Throws an `ApiError` when the server rejects the change. */
export async function saveOpening(wish: InputOf<typeof openings.saveOpening>): Promise<void> {
  const { opening } = await callApi(openings.saveOpening, wish)
  const where = opening.published ? texts.itsOnTheCareersPage : texts.itIsntPublished
  void toast({ message: format(texts.titleSavedWhere, { title: opening.title, where }) })
  await renew()
}

/** Throws an `ApiError` when the server rejects the change. */
export async function removeOpening({ job_opening_id, title }: openings.StaffOpening): Promise<void> {
  await callApi(openings.removeOpening, { job_opening_id })
  void toast({ message: format(texts.titleDeleted, { title }) })
  await renew()
}
